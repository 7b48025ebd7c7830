import assert from 'node:assert/strict';
import { harbor } from '../../../host/datasets/harbor/index.ts';
import { openLocal, type OpenedNode } from '../../support/each-node.ts';
import { assertBaselines, gradeScript } from './grade-answers.ts';

const data = 'test/data/datasets/harbor';

describe('tasks of Harbor, on local', function () {
  this.timeout(1_800_000);
  let test: OpenedNode;
  before(async () => {
    test = await openLocal();
  });
  after(() => test[Symbol.asyncDispose]());

  for (const id of ['count-lines', 'elsewhere', 'no-dockerfile', 'one-file', 'two-steps'])
    it(`scores 0 for nothing, 1 for the reference and 0 for a reward of its own: ${id}`, async () => {
      await assertBaselines(test.node, await (await harbor.open(data)).load(id));
    });

  it('gives a step its share, and none to those behind one that fails', async () => {
    const task = await (await harbor.open(data)).load('two-steps');
    const first = await gradeScript(test.node, task, 'printf begun > /work/project/begin.txt');
    assert.equal(first.reward, 0.5, first.log);
    const last = await gradeScript(test.node, task, 'printf ended > /work/project/end.txt');
    assert.equal(last.reward, 0, last.log);
  });
});
