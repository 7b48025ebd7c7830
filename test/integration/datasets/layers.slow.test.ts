import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Language } from '../../../host/node/index.ts';
import { chartmimic } from '../../../host/tasks/datasets/chartmimic/chartmimic.ts';
import { ideBenchDataset } from '../../../host/tasks/datasets/ide-bench/ide-bench.ts';
import { checkRecords, type Task } from '../../../host/tasks/index.ts';
import { sampleOf } from '../../support/datasets.ts';
import { type OpenedNode, openLocal, openWith } from '../../support/each-node.ts';
import { assertBaselines } from './grade-answers.ts';

describe('records that need a layer', function () {
  this.timeout(1_800_000);
  let test: OpenedNode | undefined;
  afterEach(async () => {
    await test?.[Symbol.asyncDispose]();
    test = undefined;
  });
  const nodeWith = async (language: Language) => (test = await openWith([language])).node;
  const chart = async (): Promise<Task> =>
    (await chartmimic.open(join(sampleOf('chartmimic'), 'layer'))).load('direct/density_1');

  it('of Java build with Maven and are graded by JUnit, without a network', async () => {
    const task = await (await ideBenchDataset.open(sampleOf('ide-bench'))).load('parcels/heavy-parcels');
    assert.deepEqual(task.config.metadata['languages'], ['java']);
    assert.deepEqual(task.config.metadata['lacking'], []);
    await assertBaselines(await nodeWith('java'), task);
  });

  it('of charts are drawn with SciPy and pandas', async () => {
    const node = await nodeWith('charts');
    const [record] = await checkRecords({ node, tasks: [await chart()], parallel: 1 });
    assert.deepEqual(record?.problems, []);
  });

  it('of charts have no score without it, and say which layer has the missing packages', async () => {
    test = await openLocal();
    const [record] = await checkRecords({ node: test.node, tasks: [await chart()], parallel: 1 });
    assert.match(record?.problems.join() ?? '', /unavailable: .*No module named .*--with charts/);
  });
});
