import { mkdir, readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { toJson, tryParseJson } from '../../../bridge/text/index.ts';
import { lockHolder, readUntrustedText, tryLock } from '../../lib/index.ts';
import { jsonText, readResult, writeAtomic } from '../record/index.ts';
import { attemptResult, type AttemptResult, readAttemptEnd, type TryRecord } from './attempt-result.ts';
import { assertSameStudy, studyLock, type StudyLock } from './study-lock.ts';
import type { PlannedAttempt } from './study-plan.ts';

/** Names in a study's folder. */
export const studyFiles = {
  study: 'study.json',
  attempt: 'attempt.json',
  attempts: 'attempts.jsonl',
  lock: '.lock',
} as const;

/** The maximum size of such a file, in bytes. */
const mostFileBytes = 64 * 1024 * 1024;

/**
 * The folder of a study. Files are written whole, and never removed: an attempt is over once its `attempt.json` exists,
 * and every earlier try is next to it.
 */
export class StudyFolder implements AsyncDisposable {
  readonly path: string;
  readonly #lock: AsyncDisposable;

  private constructor(path: string, lock: AsyncDisposable) {
    this.path = path;
    this.#lock = lock;
  }

  /**
   * Opens a new folder, or that of the same study. Errors: `study-in-use`, `study-differs`, `bad-study`; `usage` if the
   * folder contains other files.
   */
  static async open(path: string, lock: StudyLock, signal: AbortSignal): Promise<StudyFolder> {
    await assertStudyFolder(path);
    await mkdir(path, { recursive: true, mode: 0o700 });
    const lockPath = join(path, studyFiles.lock);
    const held = await tryLock(lockPath, signal);
    if (!held) throw await makeInUseError(path, lockPath);
    await using opening = new AsyncDisposableStack();
    opening.use(held);
    const before = await readStudyLock(path);
    if (before) assertSameStudy(before, lock, path);
    if (before?.attempts !== lock.attempts) await writeAtomic(join(path, studyFiles.study), jsonText(lock));
    opening.move();
    return new StudyFolder(path, held);
  }

  /** As {@link readAttempt}. */
  result(attempt: PlannedAttempt): Promise<AttemptResult | null> {
    return readAttempt(this.path, attempt);
  }

  async commit({ folder }: PlannedAttempt, result: AttemptResult): Promise<void> {
    const path = join(this.path, folder, studyFiles.attempt);
    await writeAtomic(path, jsonText(attemptResult.parse(result)));
  }

  /** The tries that were begun, in order, including those of killed runs. */
  async tries({ folder }: PlannedAttempt): Promise<TryRecord[]> {
    const path = join(this.path, folder);
    const names = await readdir(path).catch(() => []);
    const numbers = names.flatMap((name) => /^try-(\d+)$/.exec(name)?.[1] ?? []).map(Number);
    return Promise.all(
      numbers
        .toSorted((a, b) => a - b)
        .map(async (number) => {
          const name = `try-${number}`;
          return { folder: name, result: await readResult(join(path, name)), failure: null };
        }),
    );
  }

  /** One line per attempt, for tables. */
  async writeTable(results: readonly AttemptResult[]): Promise<void> {
    const lines = results.map((result) => `${toJson(result)}\n`).join('');
    await writeAtomic(join(this.path, studyFiles.attempts), lines);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#lock[Symbol.asyncDispose]();
  }
}

/** The outcome of an attempt, or null while it is not over. A damaged file counts as missing: its tries are still there. */
export async function readAttempt(
  study: string,
  { folder }: Pick<PlannedAttempt, 'folder'>,
): Promise<AttemptResult | null> {
  const text = await readUntrustedText(study, join(folder, studyFiles.attempt), mostFileBytes).catch(
    () => null,
  );
  return text === null ? null : (attemptResult.safeParse(tryParseJson(text)).data ?? null);
}

/** The folder of a record's study, by the record's path; null outside of studies. */
export function findStudyFolder(record: string): string | null {
  const attempts = resolve(record, '../../../..');
  return basename(attempts) === 'attempts' ? dirname(attempts) : null;
}

/** The attempt of a study that a record belongs to, and whether its score is the one that counts. */
interface PlaceInStudy {
  /** The study's folder. */
  readonly study: string;
  /** The name of its agent's folders, unique in the study. */
  readonly agent: string;
  /** The agent's name in the study. */
  readonly agentName: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** False for a try that the study repeated. */
  readonly counts: boolean;
}

/** Null for a record outside of studies, or whose attempt is not over. */
export async function placeInStudy(record: string): Promise<PlaceInStudy | null> {
  const folder = resolve(record);
  const text = await readUntrustedText(dirname(folder), studyFiles.attempt, mostFileBytes).catch(() => null);
  const result = text === null ? undefined : attemptResult.safeParse(tryParseJson(text)).data;
  if (!result) return null;
  const agent = basename(dirname(dirname(folder)));
  const study = findStudyFolder(folder);
  if (study === null) return null;
  return {
    study,
    agent,
    agentName: result.agent,
    attempt: result.number,
    counts: result.record === basename(folder),
  };
}

/** Whether a try of an earlier run had ended, so that only its `attempt.json` was missing. */
export function hasTryEnded({ result }: TryRecord): boolean {
  return result !== null && readAttemptEnd(result) !== null;
}

async function assertStudyFolder(path: string): Promise<void> {
  const names = await readdir(path).catch(() => []);
  const known = ['attempts', ...Object.values(studyFiles)];
  const other = names.find((name) => !known.includes(name) && !name.endsWith('.tmp'));
  if (other === undefined) return;
  throw new PwpError('usage', `${path} is not a study folder: it contains ${other}`, {
    help: 'Give --out a new folder, or that of a study.',
  });
}

async function makeInUseError(path: string, lockPath: string): Promise<PwpError> {
  const holder = await lockHolder(lockPath);
  const who = holder ? `process ${holder.pid}` : 'another process';
  return new PwpError('study-in-use', `${who} runs the study ${path}`, {
    help: 'Wait for it or end it, then run this again.',
  });
}

/** `study.json`; null if it does not exist. Errors: `bad-study` for a damaged one. */
export async function readStudyLock(path: string): Promise<StudyLock | null> {
  const file = join(path, studyFiles.study);
  const text = await readUntrustedText(path, studyFiles.study, mostFileBytes).catch(() => null);
  if (text === null) return null;
  const read = studyLock.safeParse(tryParseJson(text));
  if (read.success) return read.data;
  throw new PwpError('bad-study', `${file} is damaged: ${z.prettifyError(read.error)}`, {
    cause: read.error,
    help: 'It has the definition of the study. Remove it, and the next run writes it again.',
  });
}
