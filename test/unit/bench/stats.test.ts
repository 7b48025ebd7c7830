import assert from 'node:assert/strict';
import { measure, summarise } from '../../../bench/lib/stats.ts';
import { renderTable } from '../../../bench/lib/table.ts';

describe('measurements', () => {
  it('have a median and the 10th and 90th percentiles', () => {
    assert.deepEqual(summarise([4, 1, 3, 2, 5]), { count: 5, median: 3, p10: 1.4, p90: 4.6 });
    assert.deepEqual(summarise([7]), { count: 1, median: 7, p10: 7, p90: 7 });
  });

  it('leave out the first run', async () => {
    const rounds: number[] = [];
    const times = await measure(3, (round) => Promise.resolve(rounds.push(round)));
    assert.deepEqual(rounds, [-1, 0, 1, 2]);
    assert.equal(times.length, 3);
  });

  it('are shown side by side with their ratio', () => {
    const own = { count: 30, median: 10, p10: 8, p90: 12.34 };
    const table = renderTable([
      { what: 'screenshot', own, seed: { count: 5, median: 180, p10: 150, p90: 200 } },
      { what: 'marks', own },
    ]);
    const [, first, second] = table.split('\n');
    assert.match(first ?? '', /^screenshot +30 +10 ms +8\.0 - 12 +180 ms +150 - 200 +18x$/);
    assert.match(second ?? '', /^marks .* -$/);
  });
});
