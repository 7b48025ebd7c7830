import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Node, Sandbox } from '../../../host/node/index.ts';
import {
  chooseTaskWorkspace,
  grade,
  type Grade,
  type GradeOptions,
  loadTask,
  type Task,
} from '../../../host/tasks/index.ts';
import { bareSpec, never } from '../../support/node-sandbox.ts';

const toml = `
version = "1.0"
metadata = { author_name = "A", author_email = "a@example.org", difficulty = "easy", category = "test" }
agent = { timeout_sec = 60 }
pwp = { features = ["settings"] }
`;

/**
 * A task whose tests are this script. Its folder can be deleted once the task is loaded and its seeds are read.
 * @param seconds that the tests may take
 */
export async function taskWithTests(script: string, seconds = 5): Promise<Task & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-grade-'));
  const files = {
    'task.toml': `${toml}verifier = { timeout_sec = ${seconds} }\n`,
    'instruction.md': 'x',
    'tests/test.sh': script,
    'environment/workspace/a.txt': 'a',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const task = await loadTask(folder);
  return { ...task, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** A sandbox in the task's initial state, without a desktop, as for an agent with only a shell. */
export async function agentSandbox(node: Node, task: Task): Promise<Sandbox> {
  const { image } = task.config.pwp;
  if (image === undefined) return node.start(bareSpec({ name: 'agent', seeds: await task.seeds() }));
  const root = await node.agentRoot(image);
  const workspace = chooseTaskWorkspace(task, root);
  const seeds = await task.seeds({}, workspace, root.home);
  return node.start(bareSpec({ name: 'agent', seeds, root: image, workspace }));
}

export function gradeOf(
  node: Node,
  sandbox: Sandbox,
  task: Task,
  signal: AbortSignal = never,
  onChanges?: GradeOptions['onChanges'],
): Promise<Grade> {
  return grade({ node, sandbox, task, signal, onChanges });
}
