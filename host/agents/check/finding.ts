import type { Display } from '../../node/index.ts';

/** The result of one run of a task's proof. */
export interface Finding {
  readonly task: string;
  /** `null`, `solution <name>`, `false <name>`, `leaks`, `complete`, `isolated` or `variant`. */
  readonly run: string;
  /** From 1. */
  readonly round: number;
  /** Null for a run without an IDE. */
  readonly display: Display | null;
  readonly expected: number;
  /** Null when the run ended without a score. */
  readonly reward: number | null;
  readonly holds: boolean;
  /** The reason for the score, or for a missing score. */
  readonly why: string;
  /** A warning for the author although the finding holds; null without one. */
  readonly warning: string | null;
  readonly ms: number;
}

/** The verdict on one task, from its findings. */
export interface Validity {
  readonly task: string;
  /** Every finding holds, in every round. */
  readonly valid: boolean;
  readonly runs: number;
  /** One line for each finding that doesn't hold. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** Runs that ended one way in one round and another in the next. */
  readonly flakes: readonly string[];
  /** Milliseconds of all runs together. */
  readonly ms: number;
}

/** One for each task, in the order of the findings. */
export function validityOf(findings: readonly Finding[]): Validity[] {
  const tasks = Map.groupBy(findings, ({ task }) => task);
  return [...tasks].map(([task, own]) => {
    const wrong = own.filter(({ holds }) => !holds);
    return {
      task,
      valid: wrong.length === 0,
      runs: own.length,
      problems: wrong.map((finding) => `${nameOf(finding)}, round ${finding.round}: ${problemOf(finding)}`),
      warnings: own.flatMap(({ warning }) => warning ?? []),
      flakes: flakesOf(own),
      ms: own.reduce((sum, { ms }) => sum + ms, 0),
    };
  });
}

/** A run with the display that it was on, e.g. `solution gui at 1280x800`. */
export function nameOf({ run, display }: Pick<Finding, 'run' | 'display'>): string {
  return display === null ? run : `${run} at ${display.width}x${display.height}`;
}

function problemOf({ reward, expected, why }: Finding): string {
  return reward === null ? `no score: ${why}` : `scores ${reward}, expected ${expected}: ${why}`;
}

function flakesOf(findings: readonly Finding[]): string[] {
  const runs = Map.groupBy(findings, nameOf);
  return [...runs]
    .filter(([, own]) => new Set(own.map(({ reward }) => reward)).size > 1)
    .map(([name]) => name);
}
