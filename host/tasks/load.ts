import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { badTask } from './bad-task.ts';
import { readConfig } from './config.ts';
import { placeOfTask } from './place.ts';
import { TaskFolder } from './task-folder.ts';
import { taskOf, type Task } from './task.ts';

export interface LoadOptions {
  /** The variant of the task, if it has several: a whole number from 0. Default 0. */
  readonly seed?: number;
}

/**
 * Reads and checks a task. Errors: `no-such-task`, `bad-task` with file, field, expected and found.
 * @param path of its folder, or its id ({@link placeOfTask})
 */
export async function loadTask(path: string, { seed = 0 }: LoadOptions = {}): Promise<Task> {
  const absolute = await placeOfTask(path);
  await assertTask(absolute);
  const folder = await TaskFolder.open(absolute, seed);
  const config = readConfig(join(absolute, 'task.toml'), await folder.text('task.toml'));
  const instruction = await readInstruction(folder);
  if (!(await folder.has('tests/test.sh')))
    throw badTask(join(absolute, 'tests/test.sh'), 'expected the test script, found nothing');
  const id = `${basename(dirname(absolute))}/${basename(absolute)}`;
  const task = taskOf(folder, { id, seed: folder.hasVariants ? seed : null, instruction, config });
  // Problems of a task are reported when it is loaded, not in the middle of a run.
  await Promise.all([task.seeds(), task.solutions(), task.falseSolutions()]);
  return task;
}

async function readInstruction(folder: TaskFolder): Promise<string> {
  const name = 'instruction.md';
  const text = folder.filledIn(name, await folder.text(name)).trim();
  if (text !== '') return text;
  throw badTask(join(folder.path, name), 'expected the instruction for the agent, found an empty file');
}

async function assertTask(path: string): Promise<void> {
  if (await isFile(join(path, 'task.toml'))) return;
  const help = 'A task is a folder with task.toml, instruction.md and tests/test.sh; see docs/tasks.md.';
  throw new PwpError('no-such-task', `${path} is not a task: it has no task.toml`, { help });
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isFile(),
    () => false,
  );
}
