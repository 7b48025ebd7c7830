import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import {
  hasUntrustedFile,
  isFolder,
  packagedTasksFolder,
  pathExists,
  readUntrusted,
} from '../../lib/index.ts';
import type { ArchiveEntry } from './archive.ts';
import { hasVariants, type MadeVariant, makeVariant, variantFile } from './make-variant.ts';
import { describePendingTask } from './pending-task.ts';
import { readTaskConfig } from './task-config.ts';
import { badTask, readTreeEntries, type TaskFiles } from './task-files.ts';
import { type Task, taskFromFiles } from './task.ts';

export interface LoadOptions {
  /** The variant of the task, if it has several: a whole number from 0. Default 0. */
  readonly seed?: number | undefined;
}

/**
 * Reads and checks a task's folder, and runs nothing that is in it. A task with variants is {@link Task.make made} later.
 * Errors: `no-such-task`, `bad-task` with file, field, expected and found.
 * @param path of its folder, or its id ({@link resolveTaskPath})
 */
export async function loadTask(path: string, { seed = 0 }: LoadOptions = {}): Promise<Task> {
  const absolute = await resolveTaskPath(path);
  await assertTask(absolute);
  if (await hasVariants(absolute)) return await describeUnmadeTask(absolute, seed);
  return await loadWholeTask(new TaskFolder(absolute), null);
}

async function loadWholeTask(folder: TaskFolder, seed: number | null): Promise<Task> {
  const { config, instruction } = await readTexts(folder);
  if (!(await folder.has('tests/test.sh')))
    throw badTask(join(folder.path, 'tests/test.sh'), 'expected the test script, found nothing');
  const task = taskFromFiles(folder, { id: deriveTaskId(folder.path), seed, instruction, config });
  // Problems of a task are reported when it is loaded, not in the middle of a run.
  await Promise.all([task.seeds(), task.solutions(), task.falseSolutions()]);
  return task;
}

/** The task as its files describe it without its variant: enough to list it. */
async function describeUnmadeTask(path: string, seed: number): Promise<Task> {
  const { config, instruction } = await readTexts(new TaskFolder(path));
  return describePendingTask({
    ...{ id: deriveTaskId(path), path, seed, instruction, config },
    program: variantFile,
    make: async (run) => loadWholeTask(new TaskFolder(path, await makeVariant(path, seed, run)), seed),
  });
}

async function readTexts(folder: TaskFolder) {
  const config = readTaskConfig(join(folder.path, 'task.toml'), await folder.text('task.toml'));
  return { config, instruction: await readInstruction(folder) };
}

function deriveTaskId(path: string): string {
  return `${basename(dirname(path))}/${basename(path)}`;
}

async function readInstruction(folder: TaskFolder): Promise<string> {
  const name = 'instruction.md';
  const text = folder.filledIn(name, await folder.text(name)).trim();
  if (text !== '') return text;
  throw badTask(join(folder.path, name), 'expected the instruction for the agent, found an empty file');
}

async function assertTask(path: string): Promise<void> {
  if (await pathExists(join(path, 'task.toml'))) return;
  const help = 'A task is a folder with task.toml, instruction.md and tests/test.sh; see docs/tasks.md.';
  throw new PwpError('no-such-task', `${path} is not a task: it has no task.toml`, { help });
}

/**
 * Loads every task at or below the given folders, which may be ids ({@link resolveTaskPath}), sorted by id; one that is named twice
 * counts once.
 * Errors: `no-such-task` if a folder is missing or has no task, `bad-task` for the first wrong one and for two
 * folders that give one id.
 */
export async function findTasks(folders: readonly string[], options: LoadOptions = {}): Promise<Task[]> {
  const paths = await Promise.all(
    folders.map(async (folder) => requireTaskFolders(await resolveTaskPath(folder), folder)),
  );
  const tasks = await Promise.all([...new Set(paths.flat())].map((path) => loadTask(path, options)));
  tasks.sort((a, b) => (a.id < b.id ? -1 : 1));
  assertDistinctIds(tasks);
  return tasks;
}

async function requireTaskFolders(path: string, asked: string): Promise<string[]> {
  const found = await findTaskFolders(path).catch((cause: unknown) => {
    throw new PwpError('no-such-task', `can't look for tasks in ${asked}`, {
      cause,
      help: 'Give a folder that exists, or the id of a task.',
    });
  });
  if (found.length > 0) return found;
  throw new PwpError('no-such-task', `no task in ${asked}`, { help: 'A task is a folder with a task.toml.' });
}

/** Symbolic links are not followed, so the walk ends. */
async function findTaskFolders(path: string): Promise<string[]> {
  const children = await readdir(path, { withFileTypes: true });
  if (children.some((child) => child.name === 'task.toml')) return [path];
  const folders = children.filter((child) => child.isDirectory() && !/^(\.|node_modules$)/.test(child.name));
  return (await Promise.all(folders.map(({ name }) => findTaskFolders(join(path, name))))).flat();
}

function assertDistinctIds(sorted: readonly Task[]): void {
  sorted.forEach((task, index) => {
    const next = sorted[index + 1];
    if (next?.id === task.id)
      throw badTask(next.path, `expected a unique id, found ${task.id} also in ${task.path}`);
  });
}

/**
 * The absolute path of what a user named: a path, or else the id of a task or family (`vscode/autosave-500`, `vscode`), which is
 * looked for in the current folder's `tasks` and then among the tasks that come with the program. A path that does not exist
 * stays as it is, so that the error names it.
 */
export async function resolveTaskPath(name: string): Promise<string> {
  const path = resolve(name);
  if (!/^[\w.-]+(\/[\w.-]+)?$/.test(name) || /^\.{1,2}(\/|$)/.test(name)) return path;
  for (const place of [path, resolve('tasks', name), join(packagedTasksFolder(), name)])
    if (await isFolder(place)) return place;
  return path;
}

/** Bytes of a text of a task, such as its instruction. */
const mostTextBytes = 16 * 1024 * 1024;

/** A task's folder as one seed makes it: the files on disk, and over them what its variant.mjs answered. */
class TaskFolder implements TaskFiles {
  /** Absolute. */
  readonly path: string;
  readonly large = [];
  readonly #variant: MadeVariant | undefined;

  /** @param variant undefined for a task without variants */
  constructor(path: string, variant?: MadeVariant) {
    this.path = path;
    this.#variant = variant;
  }

  /** Everything below one of its folders, as archive entries; nothing if that doesn't exist. */
  async tree(folder: string): Promise<ArchiveEntry[]> {
    const onDisk = await readTreeEntries(this.path, folder);
    const made: ArchiveEntry[] = [...(this.#variant?.files ?? [])]
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, content]) => ({
        kind: 'file',
        path: relative(folder, path),
        content,
        executable: false,
      }));
    const paths = new Set(made.map(({ path }) => path));
    return [...onDisk.filter(({ path }) => !paths.has(path)), ...made];
  }

  /** The text of a file on disk, in UTF-8. Errors: `bad-task`. */
  async text(name: string): Promise<string> {
    const file = join(this.path, name);
    try {
      const bytes = await readUntrusted(this.path, name, mostTextBytes);
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (cause) {
      throw badTask(file, `expected a text file in UTF-8, found ${describeFailure(cause)}`, cause);
    }
  }

  /** Whether there is such a file on disk or from the variant. */
  async has(name: string): Promise<boolean> {
    return this.#variant?.files.has(name) === true || (await hasUntrustedFile(this.path, name));
  }

  /**
   * A text with the variant's words in place of `{{name}}`; unchanged if the task has no variants. Errors: `bad-task`
   * for a word that the variant doesn't define.
   * @param name the file it is from
   */
  filledIn(name: string, text: string): string {
    const words = this.#variant?.words;
    if (!words) return text;
    return text.replaceAll(/\{\{([a-z][a-z0-9_]*)\}\}/g, (_, word: string) => {
      const value = Object.hasOwn(words, word) ? words[word] : undefined;
      if (value !== undefined) return value;
      throw badTask(join(this.path, name), `expected words of ${variantFile}, found {{${word}}}`);
    });
  }
}

function describeFailure(cause: unknown): string {
  if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing';
  return cause instanceof PwpError ? `something else: ${describeError(cause)}` : 'something unreadable';
}
