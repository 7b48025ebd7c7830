import assert from 'node:assert/strict';
import { effectText } from '../../../host/env/index.ts';

describe('the text of an action', () => {
  const done = { effect: 'confirmed', evidence: 'a.txt has 3 lines' } as const;

  it('has effect, evidence and what was returned', () => {
    assert.equal(effectText(done), 'confirmed: a.txt has 3 lines');
    assert.equal(effectText({ ...done, output: 'one' }), 'confirmed: a.txt has 3 lines\none');
  });

  it('does not say twice what the returned text begins with', () => {
    const output = 'a.txt has 3 lines\none';
    assert.equal(effectText({ ...done, output }), 'confirmed: a.txt has 3 lines\none');
  });
});
