import { AsyncLocalStorage } from 'node:async_hooks';
import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import { foreignPath, readForeign } from '../lib/index.ts';
import type { Task } from '../tasks/index.ts';
import type { Dataset } from './contract.ts';
import { badData } from './errors.ts';

/** What `--data` names. */
interface Place {
  /** Nothing outside of this folder is read. */
  readonly root: string;
  /** The file itself, which may be a link; null for a folder. */
  readonly file: string | null;
}

/** The place of the dataset that is being read: it has many readers, and none of them needs it as a parameter. */
const current = new AsyncLocalStorage<Place>();

/** A dataset that reads nothing outside of the path that its user named, regardless of its records and links. */
export function withinPlace(dataset: Dataset): Dataset {
  return {
    ...dataset,
    open: async (path) => {
      const place = await placeAt(path);
      const opened = await current.run(place, () => dataset.open(path));
      const load = async (id: string) => taskWithin(place, await opened.load(id));
      return { ...opened, load: (id) => current.run(place, () => load(id)) };
    },
  };
}

async function placeAt(path: string): Promise<Place> {
  const absolute = resolve(path);
  const info = await stat(absolute).catch(() => null);
  return info === null || info.isDirectory()
    ? { root: absolute, file: null }
    : { root: dirname(absolute), file: absolute };
}

/** Some of its files are read when they are asked for. */
function taskWithin(place: Place, task: Task): Task {
  const within = <T>(work: () => Promise<T>) => current.run(place, work);
  const { make } = task;
  return {
    ...task,
    ...(make && { make: (run) => within(async () => taskWithin(place, await make(run))) }),
    seeds: (base) => within(() => task.seeds(base)),
    workspace: () => within(() => task.workspace()),
    testSeeds: (copied) => within(() => task.testSeeds(copied)),
    leaks: () => within(() => task.leaks()),
    agentCodeUses: () => within(() => task.agentCodeUses()),
    solutions: () => within(() => task.solutions()),
    falseSolutions: () => within(() => task.falseSolutions()),
  };
}

/** The real path of a file of a dataset. Errors: `bad-data` for one that leads out; those of the file system. */
export async function dataPath(file: string): Promise<string> {
  const absolute = resolve(file);
  const place = current.getStore();
  if (place?.file === absolute) return await realpath(absolute);
  return await safely(file, () => foreignPath(place?.root ?? dirname(absolute), absolute));
}

/**
 * The content of a file of a dataset. Errors: `bad-data` for something that is not a file; those of the file system.
 */
export async function readData(file: string, most?: number): Promise<Buffer> {
  const real = await dataPath(file);
  return await safely(file, () => readForeign(dirname(real), real, most));
}

/** The folder in which its files must be: for what lists one. */
export function dataRoot(path: string): string {
  return current.getStore()?.root ?? resolve(path);
}

async function safely<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof PwpError) throw badData(file, cause.message, cause);
    throw cause;
  }
}
