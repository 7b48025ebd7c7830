import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import type { AttemptResult } from './attempt.ts';
import { readAttempt, readLock, studyFiles } from './folder.ts';
import { distinctNames } from './plan.ts';

/** An attempt in a study's folder: its outcome, or why it is in no table yet. */
export type FoundAttempt =
  | { readonly folder: string; readonly result: AttemptResult }
  | { readonly folder: string; readonly problem: string };

/** A study's folder, for readers: never locks, writes or waits. */
export interface ReadStudy {
  readonly name: string;
  readonly folder: string;
  /** The total number of its attempts; null if it is not known. */
  readonly planned: number | null;
  /** Maximum steps of an attempt; null if it is not known. */
  readonly maxSteps: number | null;
  /** Names of its agents, in its order; empty if they are not known. */
  readonly agents: readonly string[];
  /** The names of its tasks and agents by those of their folders; empty if they are not known. */
  readonly names: {
    readonly tasks: ReadonlyMap<string, string>;
    readonly agents: ReadonlyMap<string, string>;
  };
  /** The problems of reading the study itself. */
  readonly problems: readonly string[];
  /** Its attempts by name, one after the other. */
  attempts(): AsyncGenerator<FoundAttempt>;
  /** The folders of its attempts, in the same order, as `attempts/<task>/<agent>/<number>`. */
  folders(): AsyncGenerator<string>;
  /** @param folder one of {@link folders} */
  attempt(folder: string): Promise<FoundAttempt>;
}

/** Reads a study's folder, also while the study runs. Errors: `bad-study` for a folder that is not a study's. */
export async function readStudy(path: string): Promise<ReadStudy> {
  const folder = resolve(path);
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new PwpError('bad-study', `can't read ${path}`, { cause });
  });
  if (!names.includes(studyFiles.study) && !names.includes(attemptsFolder))
    throw new PwpError('bad-study', `${path} is not a study folder`, {
      help: `pwp eval writes one, with a ${studyFiles.study}.`,
    });
  return {
    ...{ name: basename(folder), folder, ...(await planIn(folder)) },
    attempts: () => attemptsIn(folder),
    folders: () => foldersOf(folder),
    attempt: (path) => attemptIn(folder, path),
  };
}

const attemptsFolder = 'attempts';

type Plan = Pick<ReadStudy, 'planned' | 'maxSteps' | 'agents' | 'names' | 'problems'>;

async function planIn(folder: string): Promise<Plan> {
  const noNames = { tasks: new Map<string, string>(), agents: new Map<string, string>() };
  const unknown = { planned: null, maxSteps: null, agents: [], names: noNames };
  try {
    const lock = await readLock(folder);
    if (!lock) return { ...unknown, problems: [`it has no ${studyFiles.study}`] };
    const { attempts, settings, tasks, agents } = lock;
    const planned = attempts * tasks.length * agents.length;
    const maxSteps = Number(settings['max_steps']) || null;
    const agentNames = agents.map(({ name }) => name);
    const names = { tasks: byFolder(tasks.map(({ id }) => id)), agents: byFolder(agentNames) };
    return { planned, maxSteps, agents: agentNames, names, problems: [] };
  } catch (error) {
    if (!(error instanceof PwpError)) throw error;
    return { ...unknown, problems: [error.message] };
  }
}

function byFolder(names: readonly string[]): ReadonlyMap<string, string> {
  const folders = distinctNames(names);
  return new Map(names.map((name, i) => [folders[i] ?? '', name]));
}

async function* attemptsIn(study: string): AsyncGenerator<FoundAttempt> {
  for await (const folder of foldersOf(study)) yield await attemptIn(study, folder);
}

/** `attempts/<task>/<agent>/<number>`. */
async function* foldersOf(study: string): AsyncGenerator<string> {
  for (const task of await foldersIn(study, attemptsFolder))
    for (const agent of await foldersIn(study, task))
      yield* (await foldersIn(study, agent)).toSorted(byNumber);
}

async function attemptIn(study: string, folder: string): Promise<FoundAttempt> {
  const path = join(study, folder);
  const result = await readAttempt(study, { folder });
  if (result) return { folder: path, result };
  const names: string[] = await readdir(path).catch(() => []);
  const problem = names.includes(studyFiles.attempt)
    ? `${studyFiles.attempt} can't be read, or is of another version`
    : 'it is not over';
  return { folder: path, problem };
}

async function foldersIn(study: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(study, folder), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.toSorted().map((name) => join(folder, name));
}

function byNumber(one: string, other: string): number {
  return Number(basename(one)) - Number(basename(other));
}
