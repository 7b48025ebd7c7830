import { datasetNamed } from '../../../host/datasets/index.ts';
import type { Grade } from '../../../host/grade/index.ts';
import type { Node } from '../../../host/node/index.ts';
import type { Task } from '../../../host/tasks/index.ts';
import { says } from '../../support/node-sandbox.ts';
import { agentSandbox, gradeOf } from '../grade/fixture.ts';

/** A record of the repository's own samples as a task. */
export async function sampleTask(dataset: string, id: string, folder = dataset): Promise<Task> {
  const data = await datasetNamed(dataset).open(`test/data/datasets/${folder}`);
  return data.load(id);
}

/** Grades what a script leaves in a task's workspace. */
export async function gradeScript(node: Node, task: Task, script: string): Promise<Grade> {
  await using sandbox = await agentSandbox(node, task);
  await says(sandbox, `set -e\ncd /workspace\n${script}`);
  return await gradeOf(node, sandbox, task);
}

/** The script of a task's solution or false solution of this name. */
export async function answerOf(task: Task, name: string): Promise<string> {
  const all = [...(await task.solutions()), ...(await task.falseSolutions())];
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`${task.id} has no answer ${name}`);
  return found.text;
}
