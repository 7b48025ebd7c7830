import type { AfterSuppressed } from '../../record/index.ts';
import type { RecordFigures } from './figures.ts';

/** One finished attempt. Tables are made only of these rows. */
export interface AttemptRow {
  /** Name of the study's folder. */
  readonly study: string;
  /** Its name in tables. */
  readonly agent: string;
  readonly model: string | null;
  /** The folder that contains the task's folder. */
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
  /** Why the agent's code could have forged a pass; null if the tests don't run it beside them. */
  readonly trust: string | null;
  readonly suppressed: AfterSuppressed | null;
  readonly steps: number;
  /** Maximum steps of the attempt; null if the study does not say. */
  readonly maxSteps: number | null;
  readonly tries: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
  /** Of the try that counts. */
  readonly costUsd: number | null;
  /** Of all tries, including repeated ones; null if one is not known. */
  readonly allTriesUsd: number | null;
  readonly totalMs: number;
  readonly startMs: number | null;
  readonly modelMs: number;
  readonly stepsMs: number;
  readonly gradeMs: number | null;
  /** From the record of the try that counts; null if it can't be read. */
  readonly figures: RecordFigures | null;
}

/** Whether it has a score. Without one, the machine, the provider or the grader failed, not the agent. */
export function isScored({ reward }: Pick<AttemptRow, 'reward'>): boolean {
  return reward !== null;
}

/**
 * Whether its agent began: it took a step, or its attempt has a score. Attempts that failed before that, because of the
 * machine or the provider, are in no mean of steps, tokens, cost or time.
 */
export function hasBegun({ reward, steps }: Pick<AttemptRow, 'reward' | 'steps'>): boolean {
  return reward !== null || steps > 0;
}

/** A full reward that can be trusted. */
export function isPassed({ reward, trustworthy }: Pick<AttemptRow, 'reward' | 'trustworthy'>): boolean {
  return reward !== null && reward >= 1 && trustworthy === true;
}

/** Tokens in and out; null if one is not known. */
export function tokensOf({ promptTokens, completionTokens }: AttemptRow): number | null {
  return promptTokens === null || completionTokens === null ? null : promptTokens + completionTokens;
}

/** The share of its measured tests that passed; without measured tests, its reward. Null without a score. */
export function testRateOf({ reward, figures }: AttemptRow): number | null {
  if (reward === null) return null;
  const tests = (figures?.tests ?? []).filter(({ passed }) => passed !== null);
  return tests.length === 0 ? reward : tests.filter(({ passed }) => passed).length / tests.length;
}
