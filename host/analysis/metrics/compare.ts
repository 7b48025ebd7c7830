import { bootstrap, mcnemar, type Interval } from '../numbers/index.ts';
import { isPassed, isScored, type AttemptRow } from '../rows/index.ts';
import { pairsOf } from './pairs.ts';
import { taskResults } from './tasks.ts';

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
  return pairsOf(rows).map(([first, second]) => {
    const differences = differencesOf(first.rows, second.rows);
    const [ofFirst, ofSecond] = [firstAttempts(first.rows), firstAttempts(second.rows)];
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

function differencesOf(first: readonly AttemptRow[], second: readonly AttemptRow[]): number[] {
  const others = new Map(taskResults(second).map((one) => [one.task, one]));
  return taskResults(first).flatMap(({ task, scored, passed }) => {
    const other = others.get(task);
    return other && scored > 0 && other.scored > 0 ? [passed / scored - other.passed / other.scored] : [];
  });
}

/** McNemar's pairs are independent, so each task gives one: its first attempt, if that has a score. */
function firstAttempts(rows: readonly AttemptRow[]): ReadonlyMap<string, boolean> {
  const firsts = rows.filter((row) => row.attempt === 1 && isScored(row));
  return new Map(firsts.map((row) => [row.task, isPassed(row)]));
}
