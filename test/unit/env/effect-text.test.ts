import assert from 'node:assert/strict';
import { type ActionOutcome, effectText, outcomeText } from '../../../host/ide/index.ts';
import { observationOf, stepOf, typed } from '../../support/record-fixture.ts';

describe('the text of an action', () => {
  const done = { effect: 'confirmed', evidence: 'a.txt has 3 lines' } as const;

  it('has the effect, the evidence and the returned value', () => {
    assert.equal(effectText(done), 'confirmed: a.txt has 3 lines');
    assert.equal(effectText({ ...done, output: 'one' }), 'confirmed: a.txt has 3 lines\none');
  });

  it('does not repeat the beginning of the returned text', () => {
    const output = 'a.txt has 3 lines\none';
    assert.equal(effectText({ ...done, output }), 'confirmed: a.txt has 3 lines\none');
  });
});

describe('the text of a step', () => {
  it('names an unreadable line once, and counts similar ones', () => {
    const why = 'not played: action 3 of the batch is refused';
    const untried: ActionOutcome = { ...typed('xdotool key a', 'refused', why), untried: true };
    const outcomes = [untried, untried, typed('jump', 'refused', "no action: 'jump'")];
    const text = outcomeText(
      observationOf(4, new Uint8Array()),
      stepOf(1, outcomes, { skipped: [{ kind: 'xdotool', line: 'xdotool key b' }] }),
    );
    assert.deepEqual(text.split('\n').slice(0, 3), [
      "not played: 2 actions, since the next one can't be read",
      "refused: no action: 'jump'",
      'not tried: 1 later action',
    ]);
  });
});
