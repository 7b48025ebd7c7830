import assert from 'node:assert/strict';
import { scoreRows, type AttemptRow } from '../../../host/analysis/index.ts';
import { mean } from '../../../host/analysis/numbers/index.ts';
import pwp from '../../../host/analysis/published/pwp.json' with { type: 'json' };
import { attemptRow } from '../../support/attempt-row.ts';

/** The paper's families by category, and the score of each of the agent with file and bash tools. */
const categories = [
  { from: 0, to: 6, score: 53.5 },
  { from: 6, to: 10, score: 57.8 },
  { from: 10, to: 13, score: 43.9 },
  { from: 13, to: 15, score: 38.3 },
] as const;

/** A task in each family with that mean reward, and many more tasks in the first: a family counts as much as another. */
function rowsOf({ agent, families }: { agent: string; families: readonly number[] }): AttemptRow[] {
  return families.flatMap((score, i) => {
    const family = String.fromCharCode(97 + i);
    return Array.from({ length: i === 0 ? 20 : 2 }, (_, j) =>
      attemptRow({ agent, family, task: `${family}/${j}`, reward: score / 100 }),
    );
  });
}

function percent(value: number | undefined): number {
  return Number(((value ?? NaN) * 100).toFixed(1));
}

describe("the paper's results", () => {
  it('have the overall score that it prints, from its scores of families', () => {
    for (const { agent, byFamily: families, overall } of pwp.results) {
      if (!families) continue;
      assert.equal(families.length, pwp.families.length);
      const [row] = scoreRows(rowsOf({ agent, families }));
      assert.equal(percent(row?.macro?.value), overall, agent);
    }
  });

  it('have the scores of categories that it prints', () => {
    const families =
      pwp.results.find(({ agent, byFamily }) => agent === 'file and bash tools' && byFamily)?.byFamily ?? [];
    for (const { from, to, score } of categories)
      assert.equal(mean(families.slice(from, to))?.toFixed(1), score.toFixed(1));
  });

  it('have the means at 250 steps that it prints: 18.3, 43.3, 41.7', () => {
    const of = [
      [10, 30, 15],
      [60, 30, 40],
      [60, 30, 35],
    ].map((families) => percent(scoreRows(rowsOf({ agent: 'x', families }))[0]?.macro?.value));
    assert.deepEqual(of, [18.3, 43.3, 41.7]);
  });
});
