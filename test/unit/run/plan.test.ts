import assert from 'node:assert/strict';
import { planOf } from '../../run/plan.ts';

const unit = 'test/unit/lib/hash.test.ts';
const usual = 'test/integration/node/exec.test.ts';
const alone = 'test/integration/node/timed.alone.test.ts';
const slow = 'test/e2e/mcp.slow.test.ts';
const both = 'test/integration/docker/prune.alone.slow.test.ts';
const paths = [both, usual, unit, slow, alone];

describe('the plan of a test run', () => {
  const files = (scope: Parameters<typeof planOf>[0]) =>
    planOf(scope, paths).map(({ jobs, files: some }) => [jobs, some]);

  it('is all but the slow ones by default: without processes, side by side, one after the other', () => {
    assert.deepEqual(files('usual'), [
      [4, [unit]],
      [2, [usual]],
      [1, [alone]],
    ]);
  });

  it('is everything if everything is requested', () => {
    assert.deepEqual(files('all'), [
      [4, [unit]],
      [2, [slow, usual]],
      [1, [both, alone]],
    ]);
  });

  it('needs a set-up for all but the first', () => {
    assert.deepEqual(
      planOf('all', paths).map(({ needsSetUp }) => needsSetUp),
      [false, true, true],
    );
  });

  it('has no pass without files', () => {
    assert.deepEqual(files('unit'), [[4, [unit]]]);
  });
});
