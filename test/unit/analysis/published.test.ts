import assert from 'node:assert/strict';
import {
  publishedCategories,
  publishedFamilies,
  publishedPaper,
  publishedRows,
} from '../../../host/read/analysis/published-scores.ts';
import { allBenchmarks } from '../../../host/tasks/datasets/benchmarks.ts';
import { attemptRow, rounded } from '../../support/attempt-row.ts';

const at = (family: string, task: string, reward: number, agent = 'mine') =>
  attemptRow({ agent, model: 'm', family, task: `${family}/${task}`, reward });

describe('results beside published ones', () => {
  it('are of the families that both have, in the order of the paper', () => {
    const rows = [
      at('bird', '1', 1),
      at('own-family', '1', 1),
      at('humaneval', '1', 0),
      at('humaneval', '2', 1),
    ];
    assert.deepEqual(publishedFamilies(rows), ['humaneval', 'bird']);
    const [own, ...others] = publishedRows(rows);
    assert.deepEqual([own?.paper, own?.agent, own?.families, own?.mean], [null, 'mine', [0.5, 1], 0.75]);
    assert.deepEqual([own?.tasks, own?.steps], [[1, 2], 20]);
    const sonnet = others.map(({ agent, families, mean }) => [agent, families, rounded(mean)]);
    assert.deepEqual(sonnet, [
      ['file and bash tools', [1, 0.183], 0.5915],
      ['mini-swe-agent', [1, 0.1], 0.55],
      ['OpenHands', [0.95, 0.15], 0.55],
    ]);
  });

  it('are unknown for an agent at a family that it has not tried', () => {
    const [, second] = publishedRows([
      at('bird', '1', 1),
      at('humaneval', '1', 1),
      at('bird', '1', 1, 'other'),
    ]);
    assert.deepEqual([second?.agent, second?.families, second?.mean], ['other', [null, 1], null]);
  });

  it("have a paper's score of a category only if all its families were tried", () => {
    const rows = [at('vscode', '1', 1), at('general-swe', '1', 0), at('bird', '1', 1)];
    assert.deepEqual(publishedCategories(rows), ['General']);
    const [own, ...others] = publishedRows(rows);
    assert.deepEqual(own?.categories, [0.5]);
    const gpt = others.find(({ agent, model }) => agent === 'CUA' && model === 'GPT-4o');
    assert.deepEqual([gpt?.categories, gpt?.families, gpt?.mean], [[0.1], [null, null, null], null]);
    const mini = others.find(({ agent }) => agent === 'mini-swe-agent');
    assert.deepEqual(
      mini?.categories.map((one) => rounded(one)),
      [0.375],
    );
    assert.deepEqual(publishedCategories(rows.slice(1)), []);
  });

  it('have the overall results of a paper only if all its families were tried', () => {
    const families = publishedPaper.families.map(({ id }) => id);
    const of = (some: readonly string[]) => publishedRows(some.map((family) => at(family, '1', 1)));
    const all = of(families);
    const printed = publishedPaper.groups.flatMap(({ results }) => results);
    assert.equal(all.length, 1 + printed.length);
    assert.equal(all.find(({ agent, model }) => agent === 'CUA' && model === 'GPT-4o')?.mean, 0.053);
    assert.equal(all.find(({ agent }) => agent === 'mini-swe-agent, text only')?.mean, 0.4);
    const some = of(families.slice(1));
    assert.equal(
      some.find(({ agent }) => agent === 'mini-swe-agent, text only'),
      undefined,
    );
  });

  it('have its rows at 250 steps if one of their three families was tried', () => {
    const rows = publishedRows([at('swe-bench', '1', 1), at('swe-bench-java', '1', 1)]);
    const long = rows.filter(({ steps }) => steps === 250);
    assert.deepEqual(
      long.map(({ agent, families }) => [agent, families]),
      [
        ['CUA', [0.1, 0.15]],
        ['file and bash tools', [0.6, 0.4]],
        ['mini-swe-agent', [0.6, 0.35]],
      ],
    );
  });

  it("have the families of the paper's benchmark that this program has", () => {
    for (const { families } of allBenchmarks)
      assert.deepEqual(
        families.map(({ name }) => name),
        publishedPaper.families.map(({ id }) => id),
      );
  });

  it('are empty if no family is shared', () => {
    assert.deepEqual(publishedRows([at('own-family', '1', 1)]), []);
  });
});
