import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { badTask } from './bad-task.ts';
import { loadTask, type LoadOptions } from './load.ts';
import { placeOfTask } from './place.ts';
import type { Task } from './task.ts';

/**
 * Loads every task at or below the given folders, which may be ids ({@link placeOfTask}), sorted by id; one that is named twice
 * counts once.
 * Errors: `no-such-task` if a folder is missing or has no task, `bad-task` for the first wrong one and for two
 * folders that give one id.
 */
export async function findTasks(folders: readonly string[], options: LoadOptions = {}): Promise<Task[]> {
  const paths = await Promise.all(
    folders.map(async (folder) => taskFolders(await placeOfTask(folder), folder)),
  );
  const tasks = await Promise.all([...new Set(paths.flat())].map((path) => loadTask(path, options)));
  tasks.sort((a, b) => (a.id < b.id ? -1 : 1));
  assertDistinct(tasks);
  return tasks;
}

async function taskFolders(path: string, asked: string): Promise<string[]> {
  const found = await walk(path).catch((cause: unknown) => {
    throw new PwpError('no-such-task', `can't look for tasks in ${asked}`, {
      cause,
      help: 'Give a folder that exists, or the id of a task.',
    });
  });
  if (found.length > 0) return found;
  throw new PwpError('no-such-task', `no task in ${asked}`, { help: 'A task is a folder with a task.toml.' });
}

/** Symbolic links are not followed, so the walk ends. */
async function walk(path: string): Promise<string[]> {
  const children = await readdir(path, { withFileTypes: true });
  if (children.some((child) => child.name === 'task.toml')) return [path];
  const folders = children.filter((child) => child.isDirectory() && !/^(\.|node_modules$)/.test(child.name));
  return (await Promise.all(folders.map(({ name }) => walk(join(path, name))))).flat();
}

function assertDistinct(sorted: readonly Task[]): void {
  sorted.forEach((task, index) => {
    const next = sorted[index + 1];
    if (next?.id === task.id)
      throw badTask(next.path, `expected a unique id, found ${task.id} also in ${task.path}`);
  });
}
