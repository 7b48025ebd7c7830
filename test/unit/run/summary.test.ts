import assert from 'node:assert/strict';
import { add, nothing, slowest, type Summary, total } from '../../run/summary.ts';

const one: Summary = { ...nothing, passed: 3, files: { 'a.test.ts': 1000, 'b.test.ts': 90_000 } };
const other: Summary = {
  passed: 2,
  failed: 1,
  pending: 1,
  files: { 'a.test.ts': 2040, 'c.test.ts': 1 },
  failures: ['c.test.ts: c › fails'],
};

describe('the summary of a test run', () => {
  it('adds up the passes, file by file', () => {
    const files = { 'a.test.ts': 3040, 'b.test.ts': 90_000, 'c.test.ts': 1 };
    assert.deepEqual(add(one, other), { ...other, passed: 5, files });
  });

  it('names the slowest files with their seconds, the slowest first', () => {
    assert.deepEqual(slowest(add(one, other), 2).split('\n'), [
      'The 2 slowest of 3 files, which took 93 s together:',
      '   90.0 s  b.test.ts',
      '    3.0 s  a.test.ts',
    ]);
  });

  it('ends with the numbers passed and failed', () => {
    assert.equal(total(one), '3 passed, 0 failed');
    assert.equal(total(add(one, other)), '5 passed, 1 failed, 1 skipped');
  });
});
