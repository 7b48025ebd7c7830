import assert from 'node:assert/strict';
import { publishedFamilies, publishedRows } from '../../../host/analysis/index.ts';
import pwp from '../../../host/analysis/published/pwp.json' with { type: 'json' };
import { benches } from '../../../host/datasets/benches.ts';
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

  it('are not known for an agent at a family that it has not tried', () => {
    const [, second] = publishedRows([
      at('bird', '1', 1),
      at('humaneval', '1', 1),
      at('bird', '1', 1, 'other'),
    ]);
    assert.deepEqual([second?.agent, second?.families, second?.mean], ['other', [null, 1], null]);
  });

  it('have the overall results of a paper only if all its families were tried', () => {
    const all = publishedRows(pwp.families.map((family) => at(family, '1', 1)));
    assert.equal(all.length, 1 + pwp.results.length);
    assert.equal(all.find(({ agent, model }) => agent === 'CUA' && model === 'GPT-4o')?.mean, 0.053);
    assert.equal(publishedRows(pwp.families.slice(1).map((family) => at(family, '1', 1))).length, 4);
  });

  it('are at the families of the bench that this program has', () => {
    for (const { families } of benches)
      assert.deepEqual(
        families.map(({ name }) => name),
        pwp.families,
      );
  });

  it('are none where no family is shared', () => {
    assert.deepEqual(publishedRows([at('own-family', '1', 1)]), []);
  });
});
