import assert from 'node:assert/strict';
import { decideMode, type PageSituation } from '../../../host/doors/web/live/control.ts';
import type { ControlView, Hello } from '../../../host/doors/web/live/messages.ts';

const hello: Hello = {
  type: 'hello',
  kind: 'pair',
  title: 'x',
  brief: '',
  mayEnd: false,
  hasSound: false,
  width: 1280,
  height: 800,
  mayControl: true,
  isOwner: true,
};
const free: ControlView = { holder: null, paused: false, isPrivate: false, lookDue: false, requests: [] };
const heldBy = (isYou: boolean): ControlView => ({
  ...free,
  holder: { name: 'Ada', isYou, letsWatch: false },
});
const usual: PageSituation = { hello, hands: free, talk: null, questions: 0, lastStep: undefined };
const now = 1_000_000;

describe('the situation that the page shows', () => {
  const mode = (more: Partial<PageSituation>) => decideMode({ ...usual, ...more }, now);

  it('is an agent at work as long as its last step is recent', () => {
    assert.equal(mode({ lastStep: now - 1000 }), 'agent');
    assert.equal(mode({ lastStep: now - 60_000 }), 'idle');
    assert.equal(mode({}), 'idle');
  });

  it("is a waiting question, regardless of the agent's steps", () => {
    assert.equal(mode({ questions: 1, lastStep: now }), 'waiting');
  });

  it('is who has control, regardless of questions', () => {
    assert.equal(mode({ hands: heldBy(true), questions: 1 }), 'you');
    assert.equal(mode({ hands: heldBy(false), lastStep: now }), 'other');
    assert.equal(mode({ hands: { ...heldBy(true), paused: true } }), 'paused');
  });

  it('is watching on a page that can only watch', () => {
    assert.equal(mode({ hello: { ...hello, kind: 'inspect' }, hands: heldBy(true) }), 'watch');
    assert.equal(mode({ hands: null }), 'watch');
  });
});
