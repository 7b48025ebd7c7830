import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { AttemptResult } from './attempt-result.ts';
import { readAttempt, readStudyLock, studyFiles } from './study-folder.ts';
import { makeDistinctNames } from './study-plan.ts';

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
    ...{ name: basename(folder), folder, ...(await readPlan(folder)) },
    attempts: () => readAttempts(folder),
    folders: () => listAttemptFolders(folder),
    attempt: (path) => readFoundAttempt(folder, path),
  };
}

const attemptsFolder = 'attempts';

type AttemptsByFolder = Pick<ReadStudy, 'planned' | 'maxSteps' | 'agents' | 'names' | 'problems'>;

async function readPlan(folder: string): Promise<AttemptsByFolder> {
  const noNames = { tasks: new Map<string, string>(), agents: new Map<string, string>() };
  const unknown = { planned: null, maxSteps: null, agents: [], names: noNames };
  try {
    const lock = await readStudyLock(folder);
    if (!lock) return { ...unknown, problems: [`it has no ${studyFiles.study}`] };
    const { attempts, settings, tasks, agents } = lock;
    const planned = attempts * tasks.length * agents.length;
    const maxSteps = Number(settings['max_steps']) || null;
    const agentNames = agents.map(({ name }) => name);
    const names = { tasks: mapByFolder(tasks.map(({ id }) => id)), agents: mapByFolder(agentNames) };
    return { planned, maxSteps, agents: agentNames, names, problems: [] };
  } catch (error) {
    if (!(error instanceof PwpError)) throw error;
    return { ...unknown, problems: [error.message] };
  }
}

function mapByFolder(names: readonly string[]): ReadonlyMap<string, string> {
  const folders = makeDistinctNames(names);
  return new Map(names.map((name, i) => [folders[i] ?? '', name]));
}

async function* readAttempts(study: string): AsyncGenerator<FoundAttempt> {
  for await (const folder of listAttemptFolders(study)) yield await readFoundAttempt(study, folder);
}

/** `attempts/<task>/<agent>/<number>`. */
async function* listAttemptFolders(study: string): AsyncGenerator<string> {
  for (const task of await listFolders(study, attemptsFolder))
    for (const agent of await listFolders(study, task))
      yield* (await listFolders(study, agent)).toSorted(compareNumbers);
}

async function readFoundAttempt(study: string, folder: string): Promise<FoundAttempt> {
  const path = join(study, folder);
  const result = await readAttempt(study, { folder });
  if (result) return { folder: path, result };
  const names: string[] = await readdir(path).catch(() => []);
  const problem = names.includes(studyFiles.attempt)
    ? `${studyFiles.attempt} can't be read, or is of another version`
    : 'it is not over';
  return { folder: path, problem };
}

async function listFolders(study: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(study, folder), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.toSorted().map((name) => join(folder, name));
}

function compareNumbers(one: string, other: string): number {
  return Number(basename(one)) - Number(basename(other));
}

/** Names studies by their folders, and by whole paths if two folders have the same name. */
export function studyNames(folders: readonly string[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(new Set(folders), (folder) => basename(folder));
  const named = [...byName].flatMap(([name, own]) =>
    own.map((folder) => [folder, own.length === 1 ? name : folder] as const),
  );
  return new Map(named);
}

/** Agents with the same name in two studies are prefixed with their study's name, since their settings may differ. */
export function withDistinctAgents<T extends { readonly study: string | null; readonly agent: string }>(
  rows: readonly T[],
): T[] {
  const studies = new Map<string, Set<string | null>>();
  for (const { agent, study } of rows)
    studies.set(agent, (studies.get(agent) ?? new Set<string | null>()).add(study));
  return rows.map((row) =>
    row.study !== null && (studies.get(row.agent)?.size ?? 0) > 1
      ? { ...row, agent: `${row.study}: ${row.agent}` }
      : row,
  );
}
