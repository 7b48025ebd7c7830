import { mean } from '../numbers/index.ts';
import { byFamily, byTask, isPassed, isScored, type AttemptRow } from '../rows/index.ts';

/** What one agent came to at one task. */
export interface TaskResult {
  readonly task: string;
  readonly family: string;
  /** Attempts with a score. Those without one are nobody's failure, and in no figure. */
  readonly scored: number;
  /** Those with a full reward that can be trusted. A suspect one is a failure: else an agent could hide behind it. */
  readonly passed: number;
  /** Mean reward of those with a score, suspect ones included; null without any. */
  readonly reward: number | null;
}

/** @param rows of one agent */
export function taskResults(rows: readonly AttemptRow[]): TaskResult[] {
  return byTask(rows).map(([task, own]) => {
    const scored = own.filter(isScored);
    return {
      ...{ task, family: own[0]?.family ?? '', scored: scored.length },
      passed: scored.filter(isPassed).length,
      reward: mean(scored.flatMap(({ reward }) => reward ?? [])),
    };
  });
}

/** The families of all rows, by name. */
export function familiesOf(rows: readonly AttemptRow[]): string[] {
  return byFamily(rows).map(([family]) => family);
}
