import assert from 'node:assert/strict';
import { join } from 'node:path';
import { chartmimic } from '../../../host/tasks/datasets/chartmimic/chartmimic.ts';
import { checkRecords, type Task } from '../../../host/tasks/index.ts';
import { sampleOf } from '../../support/datasets.ts';
import { type OpenedNode, openLocal, openWith } from '../../support/each-node.ts';

describe('records that need a layer', function () {
  this.timeout(1_800_000);
  let test: OpenedNode | undefined;
  afterEach(async () => {
    await test?.[Symbol.asyncDispose]();
    test = undefined;
  });
  const chart = async (): Promise<Task> =>
    (await chartmimic.open(join(sampleOf('chartmimic'), 'layer'))).load('direct/density_1');

  it('of charts are drawn with SciPy and pandas', async () => {
    test = await openWith(['charts']);
    const { node } = test;
    const [record] = await checkRecords({ node, tasks: [await chart()], parallel: 1 });
    assert.deepEqual(record?.problems, []);
  });

  it('of charts have no score without it, and say which layer has the missing packages', async () => {
    test = await openLocal();
    const [record] = await checkRecords({ node: test.node, tasks: [await chart()], parallel: 1 });
    assert.match(record?.problems.join() ?? '', /unavailable: .*No module named .*--with charts/);
  });
});
