import assert from 'node:assert/strict';
import { costText } from '../../../host/cli/study-text.ts';

describe('a cost', () => {
  for (const [usd, expected] of [
    [0, '$0.00'],
    [0.0001, '<$0.01'],
    [0.01, '$0.01'],
    [12.345, '$12.35'],
    [null, 'unknown'],
  ] as const)
    it(`of ${usd} US dollars is written ${expected}`, () => {
      assert.equal(costText(usd), expected);
    });
});
