import type { AfterSuppressed } from '../../record/index.ts';
import type { RecordFigures } from './figures.ts';

/** One attempt that is over. Tables are made of these rows alone. */
export interface AttemptRow {
  /** Name of the study's folder. */
  readonly study: string;
  /** By which tables name it. */
  readonly agent: string;
  readonly model: string | null;
  /** The folder that the task's own is in. */
  readonly family: string;
  readonly task: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** As in `attempt.json`, e.g. `scored`, `limit`, `infrastructure`. */
  readonly end: string;
  readonly limit: string | null;
  /** 0 to 1; null without a score. */
  readonly reward: number | null;
  /** False if the sandbox was not whole; null without a score. */
  readonly trustworthy: boolean | null;
  /** Why the agent's code could have forged a pass; null where the tests run none of it beside them. */
  readonly trust: string | null;
  readonly suppressed: AfterSuppressed | null;
  readonly steps: number;
  /** Steps that the attempt might take; null where the study does not say. */
  readonly maxSteps: number | null;
  readonly tries: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
  /** Of the try that counts. */
  readonly costUsd: number | null;
  /** Of all tries, those that were made again included; null where one is not known. */
  readonly allTriesUsd: number | null;
  readonly totalMs: number;
  readonly startMs: number | null;
  readonly modelMs: number;
  readonly stepsMs: number;
  readonly gradeMs: number | null;
  /** Of the record of the try that counts; null where it can't be read. */
  readonly figures: RecordFigures | null;
}

/** A score was given. What has none is nobody's failure but the machine's, the provider's or the grader's. */
export function isScored({ reward }: Pick<AttemptRow, 'reward'>): boolean {
  return reward !== null;
}

/**
 * Its agent began: it took a step, or its attempt has a score. What failed before that, by the machine or the provider,
 * is in no mean of steps, tokens, cost or time.
 */
export function hasBegun({ reward, steps }: Pick<AttemptRow, 'reward' | 'steps'>): boolean {
  return reward !== null || steps > 0;
}

/** A full reward that can be trusted. */
export function isPassed({ reward, trustworthy }: Pick<AttemptRow, 'reward' | 'trustworthy'>): boolean {
  return reward !== null && reward >= 1 && trustworthy === true;
}

/** Tokens in and out; null where one is not known. */
export function tokensOf({ promptTokens, completionTokens }: AttemptRow): number | null {
  return promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens;
}

/** The share of its tests that passed, of those that were measured: of a task without such, its reward. Null without a score. */
export function testRateOf({ reward, figures }: AttemptRow): number | null {
  if (reward === null) return null;
  const tests = (figures?.tests ?? []).filter(({ passed }) => passed !== null);
  return tests.length === 0 ? reward : tests.filter(({ passed }) => passed).length / tests.length;
}
