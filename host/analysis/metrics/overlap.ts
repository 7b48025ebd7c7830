import { share } from '../numbers/index.ts';
import type { AttemptRow } from '../rows/index.ts';
import { pairsOf } from './pairs.ts';
import { taskResults } from './tasks.ts';

/** The tasks that two agents solve: those that any of their attempts passed. */
export interface OverlapRow {
  readonly first: string;
  readonly second: string;
  /** The tasks at which either has a score. */
  readonly tasks: number;
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** both / (both + onlyFirst + onlySecond); null if neither solves any. */
  readonly jaccard: number | null;
  /** Two-tier coverage: the share of tasks that one of the two solves. */
  readonly coverage: number | null;
  /** The part of that which the better agent alone lacks. */
  readonly gain: number | null;
}

/** Sorted by the gain of the second agent, so that the best pairs for routing come first. */
export function overlapRows(rows: readonly AttemptRow[]): OverlapRow[] {
  const all = pairsOf(rows).map(([first, second]) => {
    const [one, other] = [solvedBy(first.rows), solvedBy(second.rows)];
    const tasks = new Set([...one.tasks, ...other.tasks]).size;
    const both = one.solved.filter((task) => other.isSolved.has(task)).length;
    const union = one.solved.length + other.solved.length - both;
    const best = Math.max(one.solved.length, other.solved.length);
    return {
      ...{ first: first.agent, second: second.agent, tasks, both },
      ...{ onlyFirst: one.solved.length - both, onlySecond: other.solved.length - both },
      ...{ jaccard: share(both, union), coverage: share(union, tasks), gain: share(union - best, tasks) },
    };
  });
  return all.toSorted((one, other) => (other.gain ?? 0) - (one.gain ?? 0));
}

function solvedBy(rows: readonly AttemptRow[]) {
  const results = taskResults(rows).filter(({ scored }) => scored > 0);
  const solved = results.filter(({ passed }) => passed > 0).map(({ task }) => task);
  return { tasks: results.map(({ task }) => task), solved, isSolved: new Set(solved) };
}
