import assert from 'node:assert/strict';
import type { Sandbox } from '../../../host/node/index.ts';
import { loadTask, type Solution, type Task, withVariant } from '../../../host/tasks/index.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { bash } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';
import { agentSandbox, gradeOf } from './fixture.ts';

/** At least one task of each kind of check; `pwp tasks check` covers them all. */
const proven = [
  'vscode/autosave-delay-1000',
  'vscode/flask-launch',
  'vscode/format-on-save-python',
  'vscode/hide-logs',
  'vscode/restore-windows',
  'vscode/snippets-on-top',
  'vscode/swap-text-test',
  'vscode/theme-solarized-dark',
  'vscode/tree-find-key',
  'general-swe/timeline-restore-function',
  'general-swe/timeline-restore-tabs',
  'general-swe/timeline-staged-version',
];
/** The task that `npm test` scores. */
const quick = ['general-swe/timeline-restore-function'];

/** Scores without a desktop: of nothing done, and of the task's first shell solutions. */
onOneNode('tasks solved by files alone', (open) => {
  let test: OpenedNode;
  before(async () => {
    test = await open();
  });
  after(() => test[Symbol.asyncDispose]());

  const score = async (task: Task, solution: Solution | undefined) => {
    await using sandbox = await agentSandbox(test.node, task);
    if (solution) await play(sandbox, solution);
    const { reward, checks } = await gradeOf(test.node, sandbox, task);
    const whys = checks.map(({ name, passed, why }) => `${passed ? 'pass' : 'FAIL'} ${name}: ${why}`);
    return { reward, whys: [task.id, solution?.name ?? 'null', ...whys].join('\n') };
  };

  for (const id of proven) {
    const one = quick.includes(id) ? it : slowIt;
    one(`${id}: nothing 0, a solution 1, a false one 0`, async () => {
      const task = await withVariant(await loadTask(`tasks/${id}`), { node: test.node });
      const [right, wrong] = [await task.solutions(), await task.falseSolutions()].map(shell);
      assert.ok(right && wrong, id);
      const plans = [
        { solution: undefined, expected: 0 },
        { solution: right, expected: 1 },
        { solution: wrong, expected: 0 },
      ];
      await Promise.all(
        plans.map(async ({ solution, expected }) => {
          const { reward, whys } = await score(task, solution);
          assert.equal(reward, expected, whys);
        }),
      );
    });
  }
});

function shell(solutions: readonly Solution[]): Solution | undefined {
  return solutions.find(({ kind }) => kind === 'shell');
}

async function play(sandbox: Sandbox, { name, text }: Solution): Promise<void> {
  const { exitCode, stderr } = await bash(sandbox, text);
  assert.equal(exitCode, 0, `${name}: ${stderr}`);
}
