import assert from 'node:assert/strict';
import { readMessage } from '../../../host/doors/serve/live/page-channel.ts';
import { longestPaste } from '../../../host/doors/web/live/messages.ts';

describe('a message of a page', () => {
  const read = (message: unknown) => readMessage(JSON.stringify(message));

  it('is read', () => {
    const messages = [
      { type: 'move', x: 1, y: 2.5 },
      { type: 'key', key: 'a', code: 'KeyA', held: ['shift'], altGraph: false },
      { type: 'next', after: null },
      { type: 'take', force: false, pause: true },
      { type: 'answer', id: 'q1', how: 'declined', text: '' },
      { type: 'paste', text: 'x'.repeat(longestPaste), shift: false },
    ];
    for (const message of messages) assert.deepEqual(read(message), message);
  });

  it('is refused if it is invalid, or exceeds its bounds', () => {
    const bad: unknown[] = [
      null,
      [],
      {},
      { type: 'shutdown' },
      { type: 'move', x: 1 },
      { type: 'move', x: 'a', y: 1 },
      { type: 'move', x: 1e9, y: 1 },
      { type: 'button', button: 7, down: true, x: 1, y: 1 },
      { type: 'wheel', across: 0, down: 51, x: 1, y: 1 },
      { type: 'key', key: '', code: '', held: [], altGraph: false },
      { type: 'key', key: 'a'.repeat(41), code: '', held: [], altGraph: false },
      { type: 'key', key: 'a', code: '', held: ['hyper'], altGraph: false },
      { type: 'paste', text: 'x'.repeat(longestPaste + 1), shift: false },
      { type: 'next', after: -1 },
      { type: 'next', after: 1.5 },
      { type: 'ask', why: 'x'.repeat(501) },
    ];
    for (const message of bad) assert.equal(read(message), undefined, JSON.stringify(message)?.slice(0, 80));
    for (const text of ['', '{', 'NaN', '{"type":"move","x":1e999,"y":0}'])
      assert.equal(readMessage(text), undefined);
  });
});
