import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { DatasetAbout } from '../contract.ts';
import { noData } from '../errors.ts';

/** A code base with its tasks: one of the benchmark's datasets. */
export interface CodeBase {
  /** Name of its folder. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Names of the task folders, sorted. */
  readonly tasks: readonly string[];
}

/**
 * The code bases at a path: itself, the folders in it, or those in its `datasets`. Errors: `no-data` for none, and for one
 * without `run_tests.sh` or `Dockerfile`.
 */
export async function codeBases(about: DatasetAbout, path: string): Promise<CodeBase[]> {
  const absolute = resolve(path);
  if (!(await isFolder(absolute))) throw noData(about, absolute);
  const places = [[absolute], await foldersIn(absolute), await foldersIn(join(absolute, 'datasets'))];
  for (const folders of places) {
    const found = (await Promise.all(folders.map(codeBaseOf))).filter((one) => one !== undefined);
    if (found.length === 0) continue;
    await Promise.all(found.map((one) => assertComplete(about, one)));
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }
  throw noData(about, join(absolute, 'tasks/<task>/task_description.txt'));
}

async function codeBaseOf(path: string): Promise<CodeBase | undefined> {
  const folders = await foldersIn(join(path, 'tasks'));
  const described = await Promise.all(folders.map((folder) => isThere(join(folder, 'task_description.txt'))));
  const tasks = folders.filter((_, index) => described[index]).map((folder) => basename(folder));
  return tasks.length > 0 ? { name: basename(path), path, tasks: tasks.sort() } : undefined;
}

async function assertComplete(about: DatasetAbout, { path }: CodeBase): Promise<void> {
  for (const name of ['run_tests.sh', 'Dockerfile'])
    if (!(await isThere(join(path, name)))) throw noData(about, join(path, name));
}

async function foldersIn(path: string): Promise<string[]> {
  const children = await readdir(path, { withFileTypes: true }).catch(() => []);
  return children.filter((child) => child.isDirectory()).map(({ name }) => join(path, name));
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  );
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
