import assert from 'node:assert/strict';
import { formatDollars } from '../../../bridge/text/index.ts';

describe('a sum of money', () => {
  for (const [usd, expected] of [
    [0, '$0.00'],
    [0.00001, '<$0.0001'],
    [0.0123, '$0.0123'],
    [12.345, '$12.35'],
    [null, 'unknown'],
  ] as const)
    it(`of ${usd} US dollars is written ${expected}`, () => {
      assert.equal(formatDollars(usd), expected);
    });
});
