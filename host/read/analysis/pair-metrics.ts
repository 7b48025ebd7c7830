import { type AttemptRow, groupByAgent, hasPassed, isScored } from './attempt-rows.ts';
import { taskResults } from './score-metrics.ts';
import { bootstrap, computeShare, type Interval, mcnemar } from './statistics.ts';

/** Two agents at the tasks at which both have a score. */
export interface ComparisonRow {
  readonly first: string;
  readonly second: string;
  readonly tasks: number;
  /** pass@1 of the first minus that of the second, with an interval by resampling tasks. */
  readonly difference: Interval | null;
  /** Tasks at which the first attempts of both have a score. */
  readonly paired: number;
  /** The ones among them that only one of the two passed. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** McNemar's, exact and two-sided. */
  readonly p: number;
}

export function comparisonRows(rows: readonly AttemptRow[]): ComparisonRow[] {
  return pairAgents(rows).map(([first, second]) => {
    const differences = computeDifferences(first.rows, second.rows);
    const [ofFirst, ofSecond] = [pairFirstAttempts(first.rows), pairFirstAttempts(second.rows)];
    const paired = [...ofFirst.keys()].filter((task) => ofSecond.has(task));
    const onlyIn = (one: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>) =>
      paired.filter((task) => one.get(task) === true && other.get(task) === false).length;
    const [onlyFirst, onlySecond] = [onlyIn(ofFirst, ofSecond), onlyIn(ofSecond, ofFirst)];
    return {
      ...{ first: first.agent, second: second.agent, tasks: differences.length },
      ...{ difference: bootstrap([differences]), paired: paired.length, onlyFirst, onlySecond },
      p: mcnemar(onlyFirst, onlySecond),
    };
  });
}

function computeDifferences(first: readonly AttemptRow[], second: readonly AttemptRow[]): number[] {
  const others = new Map(taskResults(second).map((one) => [one.task, one]));
  return taskResults(first).flatMap(({ task, scored, passed }) => {
    const other = others.get(task);
    return other && scored > 0 && other.scored > 0 ? [passed / scored - other.passed / other.scored] : [];
  });
}

/** McNemar's pairs are independent, so each task gives one: its first attempt, if that has a score. */
function pairFirstAttempts(rows: readonly AttemptRow[]): ReadonlyMap<string, boolean> {
  const firsts = rows.filter((row) => row.attempt === 1 && isScored(row));
  return new Map(firsts.map((row) => [row.task, hasPassed(row)]));
}

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
  const all = pairAgents(rows).map(([first, second]) => {
    const [one, other] = [listSolvedTasks(first.rows), listSolvedTasks(second.rows)];
    const tasks = new Set([...one.tasks, ...other.tasks]).size;
    const both = one.solved.filter((task) => other.isSolved.has(task)).length;
    const union = one.solved.length + other.solved.length - both;
    const best = Math.max(one.solved.length, other.solved.length);
    return {
      ...{ first: first.agent, second: second.agent, tasks, both },
      ...{ onlyFirst: one.solved.length - both, onlySecond: other.solved.length - both },
      ...{
        jaccard: computeShare(both, union),
        coverage: computeShare(union, tasks),
        gain: computeShare(union - best, tasks),
      },
    };
  });
  return all.toSorted((one, other) => (other.gain ?? 0) - (one.gain ?? 0));
}

function listSolvedTasks(rows: readonly AttemptRow[]) {
  const results = taskResults(rows).filter(({ scored }) => scored > 0);
  const solved = results.filter(({ passed }) => passed > 0).map(({ task }) => task);
  return { tasks: results.map(({ task }) => task), solved, isSolved: new Set(solved) };
}

/** One agent's rows. */
interface AgentRows {
  readonly agent: string;
  readonly rows: readonly AttemptRow[];
}

/** Each pair of agents once, in the order in which they appear, up to the number that is useful in a table. */
function pairAgents(rows: readonly AttemptRow[]): (readonly [AgentRows, AgentRows])[] {
  const agents = groupByAgent(rows).map(([agent, own]) => ({ agent, rows: own }));
  const pairs = agents.flatMap((one, i) => agents.slice(i + 1).map((other) => [one, other] as const));
  return pairs.slice(0, mostPairs);
}

/** The pairs of twelve agents. */
export const mostPairs = 66;
