import type { Task } from '../format/index.ts';
import type { CheckResult } from './verdict.ts';

/** A task with its owners' right and wrong answers. */
export interface OwnAnswers {
  readonly task: Task;
  /** `script`: run by bash in the workspace; null does nothing. */
  readonly answers: readonly { readonly name: string; readonly script: string | null }[];
}

export interface OwnGrade {
  readonly name: string;
  /** 0 to 1; null without a reward. */
  readonly reward: number | null;
  readonly checks: readonly CheckResult[];
  /** Why there is no reward; null if there is one. */
  readonly problem: string | null;
  /** Command lines of the processes that it left running, which were ended before the tests. */
  readonly running: readonly string[];
  /** From the initial state to the score. */
  readonly ms: number;
}
