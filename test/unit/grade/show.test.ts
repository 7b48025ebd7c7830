import assert from 'node:assert/strict';
import { showValue } from '../../../host/tasks/grade/checks/check-result.ts';

describe("a value in a check's message", () => {
  it('is short', () => {
    assert.equal(showValue({ a: 1 }), '{"a":1}');
    assert.equal(showValue(undefined), 'nothing');
    assert.equal(showValue('x'.repeat(1000)).length, 201);
  });

  it('is its type if it is nested too deep to print', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
    assert.equal(showValue(deep), "something that can't be shown (object)");
  });
});
