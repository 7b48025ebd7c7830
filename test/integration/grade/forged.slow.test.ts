import assert from 'node:assert/strict';
import { loadTask, type Task, withVariant } from '../../../host/tasks/index.ts';
import { attacksVariable, noteAttack } from '../../support/attacks.ts';
import { onEachNode, onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { bash } from '../../support/node-sandbox.ts';
import { agentSandbox, gradeOf } from './fixture.ts';
import { forgeries } from './forgeries.ts';

/** Files, settings, keybindings, launch configurations, the editor's history, code that runs, diagrams. */
const tasks = [
  'vscode/autosave-delay-1000',
  'vscode/flask-launch',
  'vscode/hide-logs',
  'vscode/swap-text-test',
  'vscode/format-on-save-python',
  'vscode/snippets-on-top',
  'general-swe/move-class',
  'general-swe/debug-vendored',
  'general-swe/timeline-restore-function',
  'general-swe/mockup-services',
];
/** If set, every attack is tried on every task; otherwise each on one task. */
const all = process.env['PWP_ALL_FORGERIES'] !== undefined;

/** `npm run attacks` tries them on both kinds of node; the inside of a sandbox is the same on each. */
const onNodes = process.env[attacksVariable] === undefined ? onOneNode : onEachNode;

onNodes('a forged pass', (open, kind) => {
  let test: OpenedNode;
  const loaded = new Map<string, Task>();
  before(async () => {
    test = await open();
    for (const id of tasks)
      loaded.set(id, await withVariant(await loadTask(`tasks/${id}`), { node: test.node }));
  });
  after(() => test[Symbol.asyncDispose]());

  for (const [i, [what, script]] of Object.entries(forgeries).entries())
    for (const id of all ? tasks : [tasks[i % tasks.length] ?? ''])
      it(`scores 0 in ${id} for an agent that ${what}`, async () => {
        const task = loaded.get(id);
        assert.ok(task);
        await using sandbox = await agentSandbox(test.node, task);
        const left = await bash(sandbox, script);
        assert.equal(left.exitCode, 0, left.stderr);
        const { reward, checks, log } = await gradeOf(test.node, sandbox, task);
        noteAttack({ on: 'the score', what, node: kind, held: reward === 0 });
        assert.equal(reward, 0, `${JSON.stringify(checks)}\n${log}`);
      });
});
