import { mean } from '../numbers/index.ts';
import { byFamily, byTask, isPassed, isScored, type AttemptRow } from '../rows/index.ts';

/** The results of one agent at one task. */
export interface TaskResult {
  readonly task: string;
  readonly family: string;
  /** Attempts with a score. Attempts without one are not the agent's failure, and are in no figure. */
  readonly scored: number;
  /** Attempts with a full reward that can be trusted. A suspect one counts as failed: else an agent could hide behind it. */
  readonly passed: number;
  /** Mean reward of attempts with a score, including suspect ones; null without any. */
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
