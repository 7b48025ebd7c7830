import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { badTask } from './bad-task.ts';
import { readConfig } from './config.ts';
import { placeOfTask } from './place.ts';
import { TaskFolder } from './task-folder.ts';
import { taskOf, type Task } from './task.ts';
import { hasVariants, makeVariant, variantFile, type RunVariant } from './variant/index.ts';

export interface LoadOptions {
  /** The variant of the task, if it has several: a whole number from 0. Default 0. */
  readonly seed?: number;
}

/**
 * Reads and checks a task's folder, and runs nothing that is in it. A task with variants is {@link Task.make made} later.
 * Errors: `no-such-task`, `bad-task` with file, field, expected and found.
 * @param path of its folder, or its id ({@link placeOfTask})
 */
export async function loadTask(path: string, { seed = 0 }: LoadOptions = {}): Promise<Task> {
  const absolute = await placeOfTask(path);
  await assertTask(absolute);
  if (await hasVariants(absolute)) return await unmadeTask(absolute, seed);
  return await wholeTask(new TaskFolder(absolute), null);
}

async function wholeTask(folder: TaskFolder, seed: number | null): Promise<Task> {
  const { config, instruction } = await readTexts(folder);
  if (!(await folder.has('tests/test.sh')))
    throw badTask(join(folder.path, 'tests/test.sh'), 'expected the test script, found nothing');
  const task = taskOf(folder, { id: idOf(folder.path), seed, instruction, config });
  // Problems of a task are reported when it is loaded, not in the middle of a run.
  await Promise.all([task.seeds(), task.solutions(), task.falseSolutions()]);
  return task;
}

/** The task as its files describe it without its variant: enough to list it. */
async function unmadeTask(path: string, seed: number): Promise<Task> {
  const { config, instruction } = await readTexts(new TaskFolder(path));
  const id = idOf(path);
  const wanting = () =>
    Promise.reject(
      new PwpError('variant-not-made', `${id} has a ${variantFile}, which has not been run`, {
        help: 'Call withVariant(task, { node }) first: it runs in a sandbox.',
      }),
    );
  let made: Promise<Task> | undefined;
  const make = (run: RunVariant) => {
    made ??= makeVariant(path, seed, run).then((variant) => wholeTask(new TaskFolder(path, variant), seed));
    made.catch(() => (made = undefined));
    return made;
  };
  return {
    ...{ id, path, seed, instruction, config, make },
    ...{ seeds: wanting, workspace: wanting, testSeeds: wanting, leaks: wanting },
    ...{ agentCodeUses: wanting, solutions: wanting, falseSolutions: wanting },
  };
}

async function readTexts(folder: TaskFolder) {
  const config = readConfig(join(folder.path, 'task.toml'), await folder.text('task.toml'));
  return { config, instruction: await readInstruction(folder) };
}

function idOf(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`;
}

async function readInstruction(folder: TaskFolder): Promise<string> {
  const name = 'instruction.md';
  const text = folder.filledIn(name, await folder.text(name)).trim();
  if (text !== '') return text;
  throw badTask(join(folder.path, name), 'expected the instruction for the agent, found an empty file');
}

async function assertTask(path: string): Promise<void> {
  if (await isThere(join(path, 'task.toml'))) return;
  const help = 'A task is a folder with task.toml, instruction.md and tests/test.sh; see docs/tasks.md.';
  throw new PwpError('no-such-task', `${path} is not a task: it has no task.toml`, { help });
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
