import assert from 'node:assert/strict';
import { publishedPaper } from '../../../host/read/analysis/published-scores.ts';
import { computeMean } from '../../../host/read/analysis/statistics.ts';
import { type AttemptRow, scoreRows } from '../../../host/read/index.ts';
import { attemptRow } from '../../support/attempt-row.ts';

/** The paper's families by category, and the score of each of the agent with file and bash tools. */
const categories = [
  { from: 0, to: 6, score: 53.5 },
  { from: 6, to: 10, score: 57.8 },
  { from: 10, to: 13, score: 43.9 },
  { from: 13, to: 15, score: 38.3 },
] as const;

/** A task in each family with that mean reward, and many more tasks in the first: all families count equally. */
function rowsOf({ agent, families }: { agent: string; families: readonly number[] }): AttemptRow[] {
  return families.flatMap((score, i) => {
    const family = String.fromCharCode(97 + i);
    return Array.from({ length: i === 0 ? 20 : 2 }, (_, j) =>
      attemptRow({ agent, family, task: `${family}/${j}`, reward: score / 100 }),
    );
  });
}

const printed = publishedPaper.groups.flatMap(({ results }) => results);

/** In the order of the paper. */
function scoresOf(byFamily: (typeof printed)[number]['byFamily']): number[] {
  return publishedPaper.families.flatMap(({ id }) => byFamily[id]?.mean ?? []);
}

function percent(value: number | undefined): number {
  return Number(((value ?? NaN) * 100).toFixed(1));
}

describe("the paper's results", () => {
  it('give the printed overall score from its scores of families', () => {
    const whole = printed.filter(
      ({ byFamily }) => scoresOf(byFamily).length === publishedPaper.families.length,
    );
    assert.equal(whole.length, 3);
    for (const { agent, byFamily, overall } of whole) {
      const [row] = scoreRows(rowsOf({ agent, families: scoresOf(byFamily) }));
      assert.equal(percent(row?.macro?.value), overall.mean, agent);
    }
  });

  it('give the printed scores of categories', () => {
    const one = printed.find(
      ({ agent, overall }) => agent === 'file and bash tools' && overall.mean === 50.7,
    );
    const families = scoresOf(one?.byFamily ?? {});
    for (const [i, { from, to, score }] of categories.entries()) {
      assert.equal(computeMean(families.slice(from, to))?.toFixed(1), score.toFixed(1));
      assert.equal(one?.byCategory[i]?.mean, score);
    }
  });

  it('give the printed means at 250 steps: 18.3, 43.3, 41.7', () => {
    const of = [
      [10, 30, 15],
      [60, 30, 40],
      [60, 30, 35],
    ].map((families) => percent(scoreRows(rowsOf({ agent: 'x', families }))[0]?.macro?.value));
    assert.deepEqual(of, [18.3, 43.3, 41.7]);
  });
});
