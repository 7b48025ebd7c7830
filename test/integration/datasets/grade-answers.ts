import assert from 'node:assert/strict';
import type { Node } from '../../../host/node/index.ts';
import { findDataset, type Grade, type Task } from '../../../host/tasks/index.ts';
import { says } from '../../support/node-sandbox.ts';
import { agentSandbox, gradeOf } from '../grade/fixture.ts';

/** A record of the repository's own samples as a task. */
export async function sampleTask(dataset: string, id: string, folder = dataset): Promise<Task> {
  const data = await findDataset(dataset).open(`test/data/datasets/${folder}`);
  return data.load(id);
}

/** Runs a script in a task's initial state, in a sandbox without an IDE, and grades the result. */
export async function gradeScript(node: Node, task: Task, script: string): Promise<Grade> {
  await using sandbox = await agentSandbox(node, task);
  for (const text of [task.config.pwp.setup, script])
    if (text !== undefined) await says(sandbox, `set -e\ncd ${sandbox.workspace}\n${text}`);
  return await gradeOf(node, sandbox, task);
}

/** Doing nothing scores 0, each solution 1, each false solution 0. */
export async function assertBaselines(node: Node, task: Task): Promise<void> {
  const nothing = await gradeScript(node, task, 'true');
  assert.equal(nothing.reward, 0, nothing.log);
  const solutions = await task.solutions();
  assert.equal(solutions.length, 1);
  for (const { text } of solutions) {
    const { reward, log } = await gradeScript(node, task, text);
    assert.equal(reward, 1, log);
  }
  for (const { name, text } of await task.falseSolutions()) {
    const { reward, log } = await gradeScript(node, task, text);
    assert.equal(reward, 0, `${name}: ${log}`);
  }
}

/** The script of a task's solution or false solution of this name. */
export async function answerOf(task: Task, name: string): Promise<string> {
  const all = [...(await task.solutions()), ...(await task.falseSolutions())];
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`${task.id} has no answer ${name}`);
  return found.text;
}
