import assert from 'node:assert/strict';
import { harbor } from '../../../host/tasks/datasets/harbor/harbor.ts';
import { checkRecords, chooseTasks } from '../../../host/tasks/index.ts';
import { type OpenedNode, openLocal } from '../../support/each-node.ts';
import { assertBaselines, gradeScript } from './grade-answers.ts';

const data = 'test/data/datasets/harbor';

describe('tasks of Harbor, on local', function () {
  this.timeout(1_800_000);
  let test: OpenedNode;
  before(async () => {
    test = await openLocal();
  });
  after(() => test[Symbol.asyncDispose]());

  for (const id of [
    'brought',
    'collected',
    'count-lines',
    'elsewhere',
    'no-dockerfile',
    'named-rewards',
    'one-file',
    'two-steps',
  ])
    it(`scores 0 for nothing, 1 for the reference and 0 for a forged reward: ${id}`, async () => {
      await assertBaselines(test.node, await (await harbor.open(data)).load(id));
    });

  it('gives each step its share, and nothing to steps after one that fails', async () => {
    const task = await (await harbor.open(data)).load('two-steps');
    const first = await gradeScript(test.node, task, 'printf begun > /work/project/begin.txt');
    assert.equal(first.reward, 0.5, first.log);
    const last = await gradeScript(test.node, task, 'printf ended > /work/project/end.txt');
    assert.equal(last.reward, 0, last.log);
  });

  it('averages several named rewards, each of them a check', async () => {
    const task = await (await harbor.open(data)).load('named-rewards');
    const { reward, checks, log } = await gradeScript(test.node, task, 'cd /app; seq 3 > numbers.txt');
    assert.equal(reward, 0.5, log);
    assert.deepEqual(
      checks.map(({ name, passed, why }) => [name, passed, why]),
      [
        ['tests', false, '{"numbers": 1.0, "sum": 0.0}'],
        ['numbers', true, '1'],
        ['sum', false, '0'],
      ],
    );
  });

  it('plays only the tasks of a collection that mean the same here as in Harbor', async () => {
    const { tasks, lacking } = await chooseTasks({ names: ['harbor'], data: `${data}-refused` });
    assert.deepEqual(
      tasks.map(({ id }) => id),
      ['harbor/sound'],
    );
    assert.equal(lacking.length, 6);
    for (const task of tasks) await assertBaselines(test.node, task);
  });

  it('names processes that a solution left running, which are gone when tests run', async () => {
    const task = await (await harbor.open(`${data}-leaves`)).load('leaves-server');
    const [checked] = await checkRecords({ node: test.node, tasks: [task], parallel: 1 });
    assert.match(
      checked?.problems.join() ?? '',
      /gold: scores 0, expected 1: .*left processes running, which are not there when tests run: .*http\.server/,
    );
  });
});
