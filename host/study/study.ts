import { availableParallelism } from 'node:os';
import { neverAborted, type Cancellable } from '../../bridge/lib/index.ts';
import type { EpisodeEvent } from '../agents/index.ts';
import type { Task } from '../tasks/index.ts';
import { assertPlayable, type OpenedAgent } from './agents.ts';
import { retryKind, tryOf, type AttemptResult, type AttemptTry } from './attempt.ts';
import { adopt, tryAttempt } from './attempts.ts';
import { Budget, assertPriced, parseBudget } from './budget.ts';
import type { Retryable, RunConfig, StudyConfig } from './config.ts';
import { assertSpace } from './disk.ts';
import { StudyFolder } from './folder.ts';
import { lockOf } from './lock.ts';
import { planAttempts, type PlannedAttempt } from './plan.ts';
import type { AttemptRunner } from './runner.ts';

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
  | { readonly kind: 'attempt'; readonly attempt: PlannedAttempt }
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
  assertPriced(limits.usd ?? config.max_cost, agents);
  await assertPlayable(tasks, agents);
  const budget = new Budget(limits);
  const lock = await lockOf(config, tasks, agents);
  await using folder = await StudyFolder.open(options.folder, lock, signal);
  const plan = planAttempts(tasks, agents, config.attempts);
  const results = new Map<PlannedAttempt, AttemptResult>();
  const open: PlannedAttempt[] = [];
  for (const attempt of plan) {
    const tries = await folder.tries(attempt);
    for (const before of tries) budget.addEarlier(tryOf(before));
    const written = await folder.result(attempt);
    const result = written ?? (await adopt(folder, attempt));
    if (result) results.set(attempt, result);
    if (!result || isAgain(result, options.again) || wasBroken(tries.length, written, result, run))
      open.push(attempt);
  }
  onEvent?.({ kind: 'begin', attempts: plan, results: new Map(results) });
  try {
    await runAll(open, options, { folder, budget, results });
  } finally {
    await folder.writeTable(inOrder(plan, results));
  }
  const done = inOrder(plan, results);
  return {
    ...{ folder: folder.path, planned: plan.length, results: done },
    stopped: done.length === plan.length ? null : (budget.reached ?? 'not all attempts were made'),
    ...{ costUsd: budget.usd, unknownCosts: budget.unknown },
  };
}

/** Whether an earlier run ended during a retry of the attempt, or before it. */
function wasBroken(
  tries: number,
  written: AttemptResult | null,
  { tries: counted }: AttemptResult,
  run: Pick<RunConfig, 'retry' | 'tries'>,
): boolean {
  if (written) return tries > counted.length;
  const last = counted.at(-1);
  const kind = last ? retryKind(last) : null;
  return kind !== null && run.retry.includes(kind) && tries < run.tries;
}

interface Going {
  readonly folder: StudyFolder;
  readonly budget: Budget;
  readonly results: Map<PlannedAttempt, AttemptResult>;
}

/** Runs a few at a time. A failure that all share stops all. */
async function runAll(
  attempts: readonly PlannedAttempt[],
  options: StudyOptions,
  going: Going,
): Promise<void> {
  const { run, signal = neverAborted } = options;
  const failed = new AbortController();
  const both = AbortSignal.any([signal, failed.signal]);
  const line = attempts.values();
  const worker = async () => {
    for (const attempt of line) {
      both.throwIfAborted();
      if (going.budget.reached !== undefined) return;
      await runOne(attempt, { ...options, signal: both }, going);
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

async function runOne(
  attempt: PlannedAttempt,
  { runner, run, signal = neverAborted, onEvent }: StudyOptions,
  { folder, budget, results }: Going,
): Promise<void> {
  await assertSpace(folder.path);
  onEvent?.({ kind: 'attempt', attempt });
  const result = await tryAttempt(attempt, {
    ...{ folder, runner, run, signal },
    mayTry: () => budget.reached === undefined,
    onEvent: (event) => onEvent?.({ kind: 'episode', attempt, event }),
    onTry: (made) => {
      budget.add(made);
      onEvent?.({ kind: 'try', attempt, made });
    },
  });
  if (!result) return;
  results.set(attempt, result);
  onEvent?.({ kind: 'result', attempt, result });
}

function isAgain(result: AttemptResult, again: readonly Retryable[] = []): boolean {
  const kind = retryKind(result);
  return kind !== null && again.includes(kind);
}

function inOrder(
  plan: readonly PlannedAttempt[],
  results: ReadonlyMap<PlannedAttempt, AttemptResult>,
): AttemptResult[] {
  return plan.flatMap((attempt) => results.get(attempt) ?? []);
}
