import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { readForeignText } from '../lib/index.ts';
import { proofsMark, recordFiles, result as resultSchema, type Result } from '../record/index.ts';
import {
  endOf,
  familyOf,
  isPassed,
  readStudy,
  studyFiles,
  type AttemptResult,
  type FoundAttempt,
  type ReadStudy,
} from '../study/index.ts';
import type { ViewFolder } from './folder.ts';
import type { AttemptLine, AttemptState, Problem, StudyLine } from './page/index.ts';

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
  readonly problems: readonly Problem[];
}

/** The maximum number of folders to search, and of levels. */
const most = { folders: 20_000, depth: 8 };
/** The number of attempts to read in parallel. */
const atOnce = 32;

/** All attempts below a folder: of studies, and records outside of studies. Never locks, writes or waits. */
export async function indexOf(folder: ViewFolder): Promise<ViewIndex> {
  const studies: StudyLine[] = [];
  const attempts: ViewedAttempt[] = [];
  const problems: Problem[] = [];
  const records: string[] = [];
  for await (const found of placesIn(folder, problems)) {
    if (found.kind === 'record') records.push(found.id);
    else {
      const study = await readStudy(folder.below(found.id));
      problems.push(...study.problems.map((what) => ({ where: found.id || study.name, what })));
      const own = await ofStudy(folder, study);
      const over = own.filter(({ line }) => line.end !== null).length;
      studies.push({ name: nameOf(folder, study), planned: study.planned, over, agents: study.agents });
      attempts.push(...own);
    }
  }
  attempts.push(...numbered(await inGroups(records, (id) => ofRecord(folder, id))));
  return { studies, attempts, problems };
}

interface FoundPlace {
  readonly kind: 'study' | 'record';
  readonly id: string;
}

/** Does not follow links. */
async function* placesIn(folder: ViewFolder, problems: Problem[]): AsyncGenerator<FoundPlace> {
  let looked = 0;
  const waiting: { readonly id: string; readonly depth: number }[] = [{ id: '', depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { id, depth } = next;
    if ((looked += 1) > most.folders) {
      problems.push({ where: id, what: `more than ${most.folders} folders: the others are not shown` });
      return;
    }
    const entries = await readdir(folder.below(id), { withFileTypes: true }).catch((error: unknown) => {
      problems.push({ where: id, what: messageOf(error) });
      return [];
    });
    const has = (name: string, isFolder: boolean) =>
      entries.some((entry) => entry.name === name && (isFolder ? entry.isDirectory() : entry.isFile()));
    if (id !== '' && has(proofsMark, false)) {
      const what = 'proofs of tasks check are not shown: name this folder itself to see them';
      problems.push({ where: id, what });
    } else if (has(recordFiles.events, false)) yield { kind: 'record', id };
    else if (has(studyFiles.study, false) || has('attempts', true)) yield { kind: 'study', id };
    else if (depth < most.depth) {
      const names = entries
        .filter((entry) => entry.isDirectory() && !skipped(entry.name))
        .map(({ name }) => name);
      const children = names
        .toSorted()
        .map((name) => ({ id: id === '' ? name : `${id}/${name}`, depth: depth + 1 }));
      waiting.push(...children.toReversed());
    }
  }
}

function skipped(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

function nameOf(folder: ViewFolder, { folder: path, name }: ReadStudy): string {
  return folder.idOf(path) || name;
}

async function ofStudy(folder: ViewFolder, study: ReadStudy): Promise<ViewedAttempt[]> {
  const folders: string[] = [];
  for await (const path of study.folders()) folders.push(path);
  const name = nameOf(folder, study);
  const all = await inGroups(folders, async (path) => {
    const id = folder.idOf(join(study.folder, path));
    const isFile = await lstat(join(study.folder, path, studyFiles.attempt)).then(
      (found) => found.isFile(),
      () => null,
    );
    const found: FoundAttempt =
      isFile === false
        ? { folder: path, problem: `${studyFiles.attempt} is not a file` }
        : await study.attempt(path);
    return 'result' in found ? over(name, id, found.result) : await open(folder, study, path, found.problem);
  });
  const place = new Map(study.agents.map((agent, i) => [agent, i]));
  return all.toSorted(
    (one, other) => (place.get(one.line.agent) ?? place.size) - (place.get(other.line.agent) ?? place.size),
  );
}

function over(study: string, id: string, result: AttemptResult): ViewedAttempt {
  const { task, agent, model, number, end, limit, reward, rewardTrustworthy, why, steps, costUsd, times } =
    result;
  const { trust, promptTokens: sent, completionTokens: got } = result;
  const line: AttemptLine = {
    ...{
      id,
      study,
      family: familyOf({ task }),
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
    state: stateOf({ reward, rewardTrustworthy }),
    tokens: sent === null || got === null ? null : sent + got,
    totalMs: times.totalMs,
  };
  const { record } = result;
  // The name comes from a file that anyone may have written.
  const isOwn = record !== null && /^try-\d{1,9}$/.test(record);
  return { line, record: isOwn ? `${id}/${record}` : null, limit, trustworthy: rewardTrustworthy };
}

/** An attempt that is not over, or whose result can't be read: its names come from the plan, or from its folders. */
async function open(
  folder: ViewFolder,
  study: ReadStudy,
  path: string,
  problem: string,
): Promise<ViewedAttempt> {
  const [, taskFolder = '', agentFolder = '', number = ''] = path.split(sep);
  const id = folder.idOf(join(study.folder, path));
  const task = study.names.tasks.get(taskFolder) ?? taskFolder;
  const agent = study.names.agents.get(agentFolder) ?? agentFolder;
  const tries = await triesIn(folder, id);
  const line: AttemptLine = {
    ...{ id, study: nameOf(folder, study), family: familyOf({ task }), task, agent, model: null },
    ...{ number: Number(number) || 1, state: 'open', end: null, reward: null, steps: null, tokens: null },
    ...{ costUsd: null, totalMs: null, why: problem, trust: null },
  };
  return { line, record: tries.at(-1) ?? null, limit: null, trustworthy: null };
}

/** The tries of an attempt, by their numbers: ids of their records. */
export async function triesIn(folder: ViewFolder, id: string): Promise<string[]> {
  const entries = await readdir(folder.below(id), { withFileTypes: true }).catch(() => []);
  const numbers = entries.flatMap((entry) =>
    entry.isDirectory() ? (/^try-(\d{1,9})$/.exec(entry.name)?.[1] ?? []) : [],
  );
  return numbers
    .map(Number)
    .toSorted((a, b) => a - b)
    .map((number) => (id === '' ? `try-${number}` : `${id}/try-${number}`));
}

export function stateOf(of: Pick<AttemptResult, 'reward' | 'rewardTrustworthy'>): AttemptState {
  const { reward, rewardTrustworthy } = of;
  if (reward === null) return 'unscored';
  if (isPassed(of)) return 'passed';
  if (rewardTrustworthy === false) return 'suspect';
  return reward > 0 ? 'partial' : 'failed';
}

/** A record outside of studies. One without a result is not over, or was cut off. */
async function ofRecord(folder: ViewFolder, id: string): Promise<ViewedAttempt> {
  const result = await resultOf(folder, id);
  if (!result) return { ...unnamed(folder, id), record: id, limit: null, trustworthy: null };
  const { task, agent, reward, rewardTrustworthy, trust, ended, steps, durations, asked } = result;
  const end = endOf(result);
  const name = task ?? 'no task';
  const line: AttemptLine = {
    ...{
      id,
      study: '',
      family: familyOf({ task: name }),
      task: name,
      agent: agent.name,
      model: agent.model ?? null,
    },
    ...{
      number: 1,
      state: end === null ? 'open' : stateOf({ reward, rewardTrustworthy }),
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

function unnamed(folder: ViewFolder, id: string): { readonly line: AttemptLine } {
  return {
    line: {
      ...{ id, study: '', family: '', task: id || basename(folder.path), agent: 'not known', model: null },
      ...{ number: 1, state: 'open', end: null, reward: null, steps: null, tokens: null, costUsd: null },
      ...{ totalMs: null, why: 'it has no result: it is not over, or was cut off', trust: null },
    },
  };
}

/** The content of a record's `result.json`; null if it does not exist or can't be read. */
export async function resultOf(folder: ViewFolder, id: string): Promise<Result | null> {
  try {
    const path = await folder.file(id, recordFiles.result);
    return (
      resultSchema.safeParse(JSON.parse(await readForeignText(dirname(path), path, mostResultBytes))).data ??
      null
    );
  } catch (error) {
    if (error instanceof PwpError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Several records of one agent at one task are its attempts, in the order of their folders. */
function numbered(attempts: readonly ViewedAttempt[]): ViewedAttempt[] {
  const counts = new Map<string, number>();
  return attempts.map((attempt) => {
    const { task, agent, model } = attempt.line;
    const key = JSON.stringify([task, agent, model]);
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    return { ...attempt, line: { ...attempt.line, number } };
  });
}

async function inGroups<T, R>(items: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (let from = 0; from < items.length; from += atOnce)
    made.push(...(await Promise.all(items.slice(from, from + atOnce).map(make))));
  return made;
}
