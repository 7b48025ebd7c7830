import assert from 'node:assert/strict';
import type { Sandbox } from '../../../host/node/index.ts';
import { findTasks, type Solution, type Task } from '../../../host/tasks/index.ts';
import { onEachNode, type OpenedNode } from '../../support/each-node.ts';
import { bash } from '../../support/node-sandbox.ts';
import { agentSandbox, gradeOf } from './fixture.ts';

/** What the tasks that come with the project score without a desktop: nothing done, and each shell solution. */
onEachNode('the tasks of tasks/vscode, by files alone', (open) => {
  let test: OpenedNode;
  let tasks: Task[];
  before(async () => {
    [test, tasks] = await Promise.all([open(), findTasks(['tasks/vscode'])]);
  });
  after(() => test[Symbol.asyncDispose]());

  const score = async (task: Task, solution: Solution | undefined) => {
    await using sandbox = await agentSandbox(test.node, task);
    if (solution) await play(sandbox, solution);
    const { reward, checks } = await gradeOf(test.node, sandbox, task);
    const whys = checks.map(({ name, passed, why }) => `${passed ? 'pass' : 'FAIL'} ${name}: ${why}`);
    return { reward, whys: [task.id, solution?.name ?? 'null', ...whys].join('\n') };
  };

  it('score 0 when nothing is done', async () => {
    for (const task of tasks) {
      const { reward, whys } = await score(task, undefined);
      assert.equal(reward, 0, whys);
    }
  });

  it('score 1 for every solution', async () => {
    for (const task of tasks) {
      for (const solution of shells(await task.solutions())) {
        const { reward, whys } = await score(task, solution);
        assert.equal(reward, 1, whys);
      }
    }
  });

  it('score 0 for every false solution', async () => {
    for (const task of tasks) {
      for (const solution of shells(await task.falseSolutions())) {
        const { reward, whys } = await score(task, solution);
        assert.equal(reward, 0, whys);
      }
    }
  });
});

function shells<S extends Solution>(solutions: readonly S[]): S[] {
  return solutions.filter(({ kind }) => kind === 'shell');
}

async function play(sandbox: Sandbox, { name, text }: Solution): Promise<void> {
  const { exitCode, stderr } = await bash(sandbox, text);
  assert.equal(exitCode, 0, `${name}: ${stderr}`);
}
