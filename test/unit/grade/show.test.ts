import assert from 'node:assert/strict';
import { show } from '../../../host/grade/checks/check.ts';

describe("a value in a check's message", () => {
  it('is short', () => {
    assert.equal(show({ a: 1 }), '{"a":1}');
    assert.equal(show(undefined), 'nothing');
    assert.equal(show('x'.repeat(1000)).length, 201);
  });

  it('is its type if it is nested too deep to print', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    assert.equal(show(deep), "something that can't be shown (object)");
  });
});
