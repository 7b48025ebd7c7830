import assert from 'node:assert/strict';
import { benchTable, benchText, drawnText } from '../../../host/doors/cli/study-text.ts';
import type { AttemptResult } from '../../../host/run/index.ts';
import { attemptResult } from '../../../host/run/study/attempt-result.ts';
import { allBenchmarks } from '../../../host/tasks/datasets/benchmarks.ts';
import type { ChosenBenchmark } from '../../../host/tasks/index.ts';

function attempt(task: string, agent: string, reward: number | null): AttemptResult {
  const ended = { end: reward === null ? 'grader' : 'scored', limit: null, reward, why: null } as const;
  const none = { promptTokens: 0, completionTokens: 0, costUsd: 0, rewardTrustworthy: reward !== null };
  const one = { ...ended, ...none, folder: 'try-1', startedAt: null, totalMs: 1 };
  return attemptResult.parse({
    ...{ task, agent, model: null, number: 1, steps: 0, cachedTokens: 0, record: null, tries: [one] },
    ...{ ...ended, ...none, times: { totalMs: 1, startMs: 1, modelMs: 0, stepsMs: 0, gradeMs: 1 } },
  });
}

describe('the table of a benchmark', () => {
  const [, lite] = allBenchmarks;
  assert.ok(lite);
  const known = ['humaneval', 'bird', 'vscode'];
  const bench: ChosenBenchmark = {
    ...lite,
    missing: lite.families.map(({ name }) => name).filter((name) => !known.includes(name)),
  };
  const results = [
    ...[attempt('humaneval/a', 'x', 1), attempt('humaneval/b', 'x', 0)],
    ...[attempt('vscode/a', 'x', 1), attempt('vscode/b', 'x', 1)],
    ...[attempt('bird/a', 'x', null), attempt('bird/b', 'x', null)],
  ];

  it('has a macro average over the families with a score', () => {
    const table = benchTable(bench, results);
    assert.equal(table.rows.length, 15);
    assert.equal(table.families, 3);
    const row = (name: string) => table.rows.find((one) => one.name === name);
    assert.deepEqual([row('humaneval')?.tasks, row('humaneval')?.scores[0]?.value], [2, 50]);
    assert.deepEqual([row('bird')?.tasks, row('bird')?.scores[0], row('bird')?.unscored], [2, null, 2]);
    assert.deepEqual([row('minictx')?.tasks, row('minictx')?.scores[0]], [null, null]);
    // (50 + 100) / 2: neither the family without scores nor the missing ones count.
    assert.equal(table.overall[0]?.value, 75);
  });

  it('says missing if there is no data, never zero', () => {
    const lines = benchText(benchTable(bench, results)).split('\n');
    const line = (start: string) => lines.find((one) => one.startsWith(start))?.replaceAll(/ +/g, ' ');
    assert.equal(line('PWP-BENCH-LITE'), 'PWP-BENCH-LITE TASKS x NO SCORE');
    assert.equal(line('miniCTX'), 'miniCTX missing');
    assert.equal(line('BIRD'), 'BIRD 2 none 2');
    assert.match(line('HumanEval') ?? '', /^HumanEval 2 50\.0 \[0\.0, 100\.0\]$/);
    assert.match(line('Macro average') ?? '', /^Macro average 3\/15 75\.0 \[50\.0, 100\.0\]$/);
    assert.match(line('of families with a score') ?? '', /^of families with a score 2$/);
  });

  it('says which seed draws how many records', () => {
    assert.match(drawnText(bench, []), /^PwP-Bench-Lite: 20 of each family, drawn by seed 0\n/);
    assert.match(drawnText(bench, []), /\nminictx: missing/);
  });
});
