import { mkdir, statfs } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  type Cancellable,
  collectCauses,
  describeError,
  neverAborted,
  PwpError,
} from '../../../bridge/lib/index.ts';
import type { Task } from '../../tasks/index.ts';
import type { OpenedAgent } from '../agents/index.ts';
import type { EpisodeEvent } from '../episode/index.ts';
import { readResult } from '../record/index.ts';
import {
  type AttemptResult,
  type AttemptTry,
  classifyRetry,
  summarizeAttempt,
  summarizeTry,
  type TryRecord,
} from './attempt-result.ts';
import { type AttemptOptions, type AttemptRunner, SharedFailure } from './local-runner.ts';
import { assertPriced, parseBudget, StudyBudget } from './study-budget.ts';
import type { Retryable, RunConfig, StudyConfig } from './study-config.ts';
import { hasTryEnded, StudyFolder } from './study-folder.ts';
import { makeStudyLock } from './study-lock.ts';
import { assertPlayable, planAttempts, type PlannedAttempt } from './study-plan.ts';

export interface StudyOptions extends Cancellable {
  /** Path of the study's folder: a new one, or that of the same study, which continues. */
  readonly folder: string;
  readonly config: StudyConfig;
  readonly tasks: readonly Task[];
  readonly agents: readonly OpenedAgent[];
  readonly run: Pick<RunConfig, 'parallel' | 'budget' | 'retry' | 'tries'>;
  /** Outcomes for which finished attempts of earlier runs are retried. Default: no retries. */
  readonly again?: readonly Retryable[];
  readonly runner: AttemptRunner;
  /** Called as it happens. */
  readonly onEvent?: (event: StudyEvent) => void;
}

export type StudyEvent =
  | {
      readonly kind: 'begin';
      readonly attempts: readonly PlannedAttempt[];
      /** Of the finished ones. */
      readonly results: ReadonlyMap<PlannedAttempt, AttemptResult>;
    }
  /** It begins, or a worker has it. */
  | { readonly kind: 'attempt'; readonly attempt: PlannedAttempt }
  /** It waits in a queue, before a worker has it or after one gave it back. */
  | { readonly kind: 'wait'; readonly attempt: PlannedAttempt }
  | { readonly kind: 'episode'; readonly attempt: PlannedAttempt; readonly event: EpisodeEvent }
  | { readonly kind: 'try'; readonly attempt: PlannedAttempt; readonly made: AttemptTry }
  | { readonly kind: 'result'; readonly attempt: PlannedAttempt; readonly result: AttemptResult };

export interface StudyResult {
  readonly folder: string;
  /** The total number of the study's attempts. */
  readonly planned: number;
  /** The finished ones, in the order of the plan. */
  readonly results: readonly AttemptResult[];
  /** Why not all are over, e.g. because the budget is used; null if all are. */
  readonly stopped: string | null;
  /** US dollars of all tries, including failed ones. */
  readonly costUsd: number;
  /** The number of tries of unknown cost, which are not in that sum. */
  readonly unknownCosts: number;
}

/**
 * Makes all attempts of a study that are not over yet. After any end, `kill -9` included, the same call continues. Errors:
 * those of {@link StudyFolder.open} and {@link parseBudget}; `disk-full`; the signal's reason.
 */
export async function runStudy(options: StudyOptions): Promise<StudyResult> {
  const { config, tasks, agents, run, signal = neverAborted, onEvent } = options;
  const limits = parseBudget(run.budget);
  assertPriced(limits.usd ?? config.maxCost, agents);
  await assertPlayable(tasks, agents);
  const budget = new StudyBudget(limits);
  const lock = await makeStudyLock(config, tasks, agents);
  await using folder = await StudyFolder.open(options.folder, lock, signal);
  const plan = planAttempts(tasks, agents, config.attempts);
  const results = new Map<PlannedAttempt, AttemptResult>();
  const open: PlannedAttempt[] = [];
  for (const attempt of plan) {
    const begun = await folder.tries(attempt);
    for (const before of await dropUnderWay(begun, attempt, options)) budget.addEarlier(summarizeTry(before));
    const written = await folder.result(attempt);
    // Of a retry, too, whose run ended before it was counted: its score must not be replaced by that of one more try.
    const isCounted = written !== null && written.tries.length >= begun.length;
    const adopted = isCounted ? null : await adoptAttempt(folder, attempt);
    const result = adopted ?? written;
    if (result) results.set(attempt, result);
    const counted = adopted ? null : written;
    if (!result || isRetried(result, options.again) || hasBrokenRetry(begun.length, counted, result, run))
      open.push(attempt);
  }
  onEvent?.({ kind: 'begin', attempts: plan, results: new Map(results) });
  try {
    await runAttempts(open, options, { folder, budget, results });
  } finally {
    await folder.writeTable(sortResults(plan, results));
  }
  const done = sortResults(plan, results);
  return {
    ...{ folder: folder.path, planned: plan.length, results: done },
    stopped: done.length === plan.length ? null : (budget.reached ?? 'not all attempts were made'),
    ...{ costUsd: budget.usd, unknownCosts: budget.unknown },
  };
}

/**
 * Whether an earlier run ended during a retry of the attempt, or before it.
 * @param tries that were begun, with one that goes on
 */
function hasBrokenRetry(
  tries: number,
  written: AttemptResult | null,
  { tries: counted }: AttemptResult,
  run: Pick<RunConfig, 'retry' | 'tries'>,
): boolean {
  if (written) return tries > counted.length;
  const last = counted.at(-1);
  const kind = last ? classifyRetry(last) : null;
  return kind !== null && run.retry.includes(kind) && tries < run.tries;
}

interface StudyInProgress {
  readonly folder: StudyFolder;
  readonly budget: StudyBudget;
  readonly results: Map<PlannedAttempt, AttemptResult>;
}

/** Runs a few at a time. A failure that all share stops all. */
async function runAttempts(
  attempts: readonly PlannedAttempt[],
  options: StudyOptions,
  going: StudyInProgress,
): Promise<void> {
  const { run, signal = neverAborted } = options;
  const failed = new AbortController();
  const both = AbortSignal.any([signal, failed.signal]);
  const line = attempts.values();
  const worker = async () => {
    for (const attempt of line) {
      both.throwIfAborted();
      if (going.budget.reached !== undefined) return;
      await runAttempt(attempt, { ...options, signal: both }, going);
    }
  };
  const width = Math.min(run.parallel ?? availableParallelism(), attempts.length);
  const workers = Array.from({ length: width }, () =>
    worker().catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  const ends = await Promise.allSettled(workers);
  signal.throwIfAborted();
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function runAttempt(
  attempt: PlannedAttempt,
  { runner, run, signal = neverAborted, onEvent }: StudyOptions,
  { folder, budget, results }: StudyInProgress,
): Promise<void> {
  await assertDiskSpace(folder.path);
  onEvent?.({ kind: 'attempt', attempt });
  const result = await tryAttempt(attempt, {
    ...{ folder, runner, run, signal },
    mayTry: () => budget.reached === undefined,
    onEvent: (event) => onEvent?.({ kind: 'episode', attempt, event }),
    onWait: (waits) => onEvent?.({ kind: waits ? 'wait' : 'attempt', attempt }),
    onTry: (made) => {
      budget.add(made);
      onEvent?.({ kind: 'try', attempt, made });
    },
  });
  if (!result) return;
  results.set(attempt, result);
  onEvent?.({ kind: 'result', attempt, result });
}

function isRetried(result: AttemptResult, again: readonly Retryable[] = []): boolean {
  const kind = classifyRetry(result);
  return kind !== null && again.includes(kind);
}

function sortResults(
  plan: readonly PlannedAttempt[],
  results: ReadonlyMap<PlannedAttempt, AttemptResult>,
): AttemptResult[] {
  return plan.flatMap((attempt) => results.get(attempt) ?? []);
}

interface TryAttemptOptions extends AttemptOptions {
  readonly folder: StudyFolder;
  readonly runner: StudyOptions['runner'];
  readonly run: Pick<RunConfig, 'retry' | 'tries'>;
  /** Whether another try may begin: the study's budget may be used up. */
  readonly mayTry: () => boolean;
  /** Called after each try of this run. */
  readonly onTry?: (made: AttemptTry) => void;
}

/**
 * An attempt whose last try ended, in an earlier run that ended before it could record that; null for others. A failed try
 * is repeated, since the cause of the run's end, such as a full disk or a used-up account, may have been its cause, too.
 */
async function adoptAttempt(folder: StudyFolder, attempt: PlannedAttempt): Promise<AttemptResult | null> {
  const tries = await folder.tries(attempt);
  const last = tries.at(-1);
  if (
    last === undefined ||
    !hasTryEnded(last) ||
    ['infrastructure', 'provider'].includes(summarizeTry(last).end)
  )
    return null;
  const result = summarizeAttempt(nameAttempt(attempt), tries.map(summarizeTry), last);
  await folder.commit(attempt, result);
  return result;
}

/** Without a try that goes on, although the run that began it has ended. */
async function dropUnderWay(
  tries: readonly TryRecord[],
  attempt: PlannedAttempt,
  { runner, signal }: Pick<StudyOptions, 'runner' | 'signal'>,
): Promise<readonly TryRecord[]> {
  const last = tries.at(-1);
  if (last === undefined || hasTryEnded(last)) return tries;
  return (await runner.isUnderWay?.(attempt, last.folder, { signal })) ? tries.slice(0, -1) : tries;
}

/** Tries an attempt until its end needs no retry, or its tries are used up. Null if no try was made. */
async function tryAttempt(
  attempt: PlannedAttempt,
  options: TryAttemptOptions,
): Promise<AttemptResult | null> {
  const { folder, run, mayTry, onTry } = options;
  const tries = (await dropUnderWay(await folder.tries(attempt), attempt, options)).map(summarizeTry);
  for (let made = 1; mayTry(); made++) {
    const { lost, tried } = await tryAttemptOnce(attempt, tries.length + 1, options);
    const kept = summarizeTry(tried);
    // On a full disk, the next attempt would fail, too.
    if (kept.end === 'infrastructure') await assertDiskSpace(folder.path);
    for (const each of [...lost.map(summarizeTry), kept]) {
      tries.push(each);
      onTry?.(each);
    }
    const result = summarizeAttempt(nameAttempt(attempt), tries, tried);
    await folder.commit(attempt, result);
    const kind = classifyRetry(kept);
    if (kind === null || !run.retry.includes(kind) || made >= run.tries) return result;
  }
  return folder.result(attempt);
}

/** What came of one try; before it there may be some whose workers were lost. */
interface MadeTry {
  readonly lost: readonly TryRecord[];
  readonly tried: TryRecord;
}

async function tryAttemptOnce(
  attempt: PlannedAttempt,
  number: number,
  { folder, runner, onEvent, onWait, signal = neverAborted }: TryAttemptOptions,
): Promise<MadeTry> {
  const above = join(folder.path, attempt.folder);
  const path = join(above, nameTry(number));
  try {
    // The folder counts the try, even if it fails before it has a record.
    await mkdir(path, { recursive: true, mode: 0o700 });
    const ran = await runner.run(attempt, path, {
      ...{ signal, ...(onEvent && { onEvent }), ...(onWait && { onWait }) },
    });
    signal.throwIfAborted();
    const name = nameTry(number + ran.lost);
    const lost = Array.from({ length: ran.lost }, (_, index) => makeTry(nameTry(number + index)));
    return { lost, tried: await readTry(above, name, ran.failure) };
  } catch (error) {
    signal.throwIfAborted();
    // The next attempt would fail for the same reason.
    if (isFullDiskError(error)) throw makeDiskFullError(path, error);
    if (error instanceof SharedFailure) throw error;
    return { lost: [], tried: await readTry(above, nameTry(number), describeError(error)) };
  }
}

/**
 * What a try left. A failure after the end of its record does not count: the next run of the study, which knows the record
 * alone, would count it as ended, too.
 */
async function readTry(above: string, name: string, failure: string | null): Promise<TryRecord> {
  const tried = { ...makeTry(name), result: await readResult(join(above, name)) };
  return failure === null || hasTryEnded(tried) ? tried : makeTry(name, failure);
}

function nameTry(number: number): string {
  return `try-${number}`;
}

function makeTry(folder: string, failure: string | null = null): TryRecord {
  return { folder, result: null, failure };
}

function nameAttempt({ task, agent, number }: PlannedAttempt) {
  const { name, model } = agent;
  return { task: task.id, agent: name, model: model ? `${model.vendor}:${model.name}` : null, number };
}

/** An attempt's record takes some 10 MB. Without enough space, the attempt would end as a failure of the infrastructure. */
const leastRecordBytes = 200 * 1024 * 1024;

/** Errors: `disk-full`. */
async function assertDiskSpace(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize < leastRecordBytes) throw makeDiskFullError(path);
}

/** Whether an error says that a disk is full. */
function isFullDiskError(error: unknown): boolean {
  return [error, ...collectCauses(error)].some(
    (at) => at instanceof Error && 'code' in at && ['ENOSPC', 'EDQUOT'].includes(String(at.code)),
  );
}

function makeDiskFullError(path: string, cause?: unknown): PwpError {
  return new PwpError('disk-full', `the disk of ${path} is full`, {
    cause,
    help: 'Free some space, then run the same command again to continue the study.',
  });
}
