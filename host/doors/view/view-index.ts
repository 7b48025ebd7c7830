import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { readUntrustedText } from '../../lib/index.ts';
import {
  type AttemptResult,
  type FoundAttempt,
  isPassed,
  proofsMark,
  readAttemptEnd,
  readStudy,
  type ReadStudy,
  readTaskFamily,
  type RecordedResult,
  recordFiles,
  recordedResult as resultSchema,
  studyFiles,
} from '../../run/index.ts';
import type { AttemptLine, AttemptState, FolderProblem, StudyLine } from '../web/index.ts';
import type { ViewFolder } from './view-folder.ts';

/** The maximum size of a result that is read, in bytes. */
const mostResultBytes = 64 * 1024 * 1024;

/** One attempt, for the server. */
export interface ViewedAttempt {
  readonly line: AttemptLine;
  /** Folder of the record that counts, or the newest; null without one. Below the viewed folder. */
  readonly record: string | null;
  readonly limit: string | null;
  readonly trustworthy: boolean | null;
}

export interface ViewIndex {
  readonly studies: readonly StudyLine[];
  readonly attempts: readonly ViewedAttempt[];
  readonly problems: readonly FolderProblem[];
}

/** The maximum number of folders to search, and of levels. */
const searchLimits = { folders: 20_000, depth: 8 };
/** The number of attempts to read in parallel. */
const readsAtOnce = 32;

/** All attempts below a folder: of studies, and records outside of studies. Never locks, writes or waits. */
export async function readViewIndex(folder: ViewFolder): Promise<ViewIndex> {
  const studies: StudyLine[] = [];
  const attempts: ViewedAttempt[] = [];
  const problems: FolderProblem[] = [];
  const records: string[] = [];
  for await (const found of findPlaces(folder, problems)) {
    if (found.kind === 'record') records.push(found.id);
    else {
      const study = await readStudy(folder.below(found.id));
      problems.push(...study.problems.map((what) => ({ where: found.id || study.name, what })));
      const own = await readStudyAttempts(folder, study);
      const over = own.filter(({ line }) => line.end !== null).length;
      studies.push({
        name: nameViewedStudy(folder, study),
        planned: study.planned,
        over,
        agents: study.agents,
      });
      attempts.push(...own);
    }
  }
  attempts.push(...numberAttempts(await mapInGroups(records, (id) => readRecordAttempt(folder, id))));
  return { studies, attempts, problems };
}

interface FoundPlace {
  readonly kind: 'study' | 'record';
  readonly id: string;
}

/** Does not follow links. */
async function* findPlaces(folder: ViewFolder, problems: FolderProblem[]): AsyncGenerator<FoundPlace> {
  let looked = 0;
  const waiting: { readonly id: string; readonly depth: number }[] = [{ id: '', depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, depth } = next;
    if ((looked += 1) > searchLimits.folders) {
      problems.push({
        where: id,
        what: `more than ${searchLimits.folders} folders: the others are not shown`,
      });
      return;
    }
    const entries = await readdir(folder.below(id), { withFileTypes: true }).catch((error: unknown) => {
      problems.push({ where: id, what: describeError(error) });
      return [];
    });
    const has = (name: string, isFolder: boolean) =>
      entries.some((entry) => entry.name === name && (isFolder ? entry.isDirectory() : entry.isFile()));
    if (id !== '' && has(proofsMark, false)) {
      const what = 'proofs of tasks check are not shown: name this folder itself to see them';
      problems.push({ where: id, what });
    } else if (has(recordFiles.events, false)) yield { kind: 'record', id };
    else if (has(studyFiles.study, false) || has('attempts', true)) yield { kind: 'study', id };
    else if (depth < searchLimits.depth) {
      const names = entries
        .filter((entry) => entry.isDirectory() && !isSkippedFolder(entry.name))
        .map(({ name }) => name);
      const children = names
        .toSorted()
        .map((name) => ({ id: id === '' ? name : `${id}/${name}`, depth: depth + 1 }));
      waiting.push(...children.toReversed());
    }
  }
}

function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function nameViewedStudy(folder: ViewFolder, { folder: path, name }: ReadStudy): string {
  return folder.idOf(path) || name;
}

async function readStudyAttempts(folder: ViewFolder, study: ReadStudy): Promise<ViewedAttempt[]> {
  const folders: string[] = [];
  for await (const path of study.folders()) folders.push(path);
  const name = nameViewedStudy(folder, study);
  const all = await mapInGroups(folders, async (path) => {
    const id = folder.idOf(join(study.folder, path));
    const isFile = await lstat(join(study.folder, path, studyFiles.attempt)).then(
      (found) => found.isFile(),
      () => null,
    );
    const found: FoundAttempt =
      isFile === false
        ? { folder: path, problem: `${studyFiles.attempt} is not a file` }
        : await study.attempt(path);
    return 'result' in found
      ? makeFinishedAttempt(name, id, found.result)
      : await readUnfinishedAttempt(folder, study, path, found.problem);
  });
  const place = new Map(study.agents.map((agent, i) => [agent, i]));
  return all.toSorted(
    (one, other) => (place.get(one.line.agent) ?? place.size) - (place.get(other.line.agent) ?? place.size),
  );
}

function makeFinishedAttempt(study: string, id: string, result: AttemptResult): ViewedAttempt {
  const { task, agent, model, number, end, limit, reward, rewardTrustworthy, why, steps, costUsd, times } =
    result;
  const { trust, promptTokens: sent, completionTokens: got } = result;
  const line: AttemptLine = {
    ...{
      id,
      study,
      family: readTaskFamily({ task }),
      task,
      agent,
      model,
      number,
      end,
      reward,
      steps,
      costUsd,
      why,
      trust,
    },
    state: classifyAttempt({ reward, rewardTrustworthy }),
    tokens: sent === null || got === null ? null : sent + got,
    totalMs: times.totalMs,
  };
  const { record } = result;
  // The name comes from a file that anyone may have written.
  const isOwn = record !== null && /^try-\d{1,9}$/.test(record);
  return { line, record: isOwn ? `${id}/${record}` : null, limit, trustworthy: rewardTrustworthy };
}

/** An attempt that is not over, or whose result can't be read: its names come from the plan, or from its folders. */
async function readUnfinishedAttempt(
  folder: ViewFolder,
  study: ReadStudy,
  path: string,
  problem: string,
): Promise<ViewedAttempt> {
  const [, taskFolder = '', agentFolder = '', number = ''] = path.split(sep);
  const id = folder.idOf(join(study.folder, path));
  const task = study.names.tasks.get(taskFolder) ?? taskFolder;
  const agent = study.names.agents.get(agentFolder) ?? agentFolder;
  const tries = await listTries(folder, id);
  const line: AttemptLine = {
    ...{
      id,
      study: nameViewedStudy(folder, study),
      family: readTaskFamily({ task }),
      task,
      agent,
      model: null,
    },
    ...{ number: Number(number) || 1, state: 'open', end: null, reward: null, steps: null, tokens: null },
    ...{ costUsd: null, totalMs: null, why: problem, trust: null },
  };
  return { line, record: tries.at(-1) ?? null, limit: null, trustworthy: null };
}

/** The tries of an attempt, by their numbers: ids of their records. */
export async function listTries(folder: ViewFolder, id: string): Promise<string[]> {
  const entries = await readdir(folder.below(id), { withFileTypes: true }).catch(() => []);
  const numbers = entries.flatMap((entry) =>
    entry.isDirectory() ? (/^try-(\d{1,9})$/.exec(entry.name)?.[1] ?? []) : [],
  );
  return numbers
    .map(Number)
    .toSorted((a, b) => a - b)
    .map((number) => (id === '' ? `try-${number}` : `${id}/try-${number}`));
}

function classifyAttempt(of: Pick<AttemptResult, 'reward' | 'rewardTrustworthy'>): AttemptState {
  const { reward, rewardTrustworthy } = of;
  if (reward === null) return 'unscored';
  if (isPassed(of)) return 'passed';
  if (rewardTrustworthy === false) return 'suspect';
  return reward > 0 ? 'partial' : 'failed';
}

/** A record outside of studies. One without a result is not over, or was cut off. */
async function readRecordAttempt(folder: ViewFolder, id: string): Promise<ViewedAttempt> {
  const result = await readViewedResult(folder, id);
  if (!result) return { ...makeUnnamedAttempt(folder, id), record: id, limit: null, trustworthy: null };
  const { task, agent, reward, rewardTrustworthy, trust, ended, steps, durations, asked } = result;
  const end = readAttemptEnd(result);
  const name = task ?? 'no task';
  const line: AttemptLine = {
    ...{
      id,
      study: '',
      family: readTaskFamily({ task: name }),
      task: name,
      agent: agent.name,
      model: agent.model ?? null,
    },
    ...{
      number: 1,
      state: end === null ? 'open' : classifyAttempt({ reward, rewardTrustworthy }),
      end: end?.end ?? null,
    },
    ...{ reward, steps, why: ended?.reason ?? null, trust, totalMs: durations.totalMs },
    tokens:
      asked?.promptTokens == null || asked.completionTokens === null
        ? null
        : asked.promptTokens + asked.completionTokens,
    costUsd: asked?.costUsd ?? null,
  };
  return { line, record: id, limit: end?.limit ?? null, trustworthy: rewardTrustworthy };
}

function makeUnnamedAttempt(folder: ViewFolder, id: string): { readonly line: AttemptLine } {
  return {
    line: {
      ...{ id, study: '', family: '', task: id || basename(folder.path), agent: 'not known', model: null },
      ...{ number: 1, state: 'open', end: null, reward: null, steps: null, tokens: null, costUsd: null },
      ...{ totalMs: null, why: 'it has no result: it is not over, or was cut off', trust: null },
    },
  };
}

/** The content of a record's `result.json`; null if it does not exist or can't be read. */
export async function readViewedResult(folder: ViewFolder, id: string): Promise<RecordedResult | null> {
  try {
    const path = await folder.file(id, recordFiles.result);
    return (
      resultSchema.safeParse(JSON.parse(await readUntrustedText(dirname(path), path, mostResultBytes)))
        .data ?? null
    );
  } catch (error) {
    if (error instanceof PwpError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Several records of one agent at one task are its attempts, in the order of their folders. */
function numberAttempts(attempts: readonly ViewedAttempt[]): ViewedAttempt[] {
  const counts = new Map<string, number>();
  return attempts.map((attempt) => {
    const { task, agent, model } = attempt.line;
    const key = JSON.stringify([task, agent, model]);
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    return { ...attempt, line: { ...attempt.line, number } };
  });
}

async function mapInGroups<T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (let from = 0; from < items.length; from += readsAtOnce)
    made.push(...(await Promise.all(items.slice(from, from + readsAtOnce).map(make))));
  return made;
}
