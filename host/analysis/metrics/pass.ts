import { bootstrap, mean, passAtK, wilson, type Interval } from '../numbers/index.ts';
import { byAgent, type AttemptRow } from '../rows/index.ts';
import { familiesOf, taskResults } from './tasks.ts';

/** pass@k of one agent. */
export interface PassRow {
  readonly agent: string;
  readonly k: number;
  /** Tasks with at least k scores. */
  readonly tasks: number;
  /** Wilson's intervals; null without such a task. In the order of the families' names. */
  readonly families: readonly (Interval | null)[];
  readonly all: Interval | null;
  /** All families weigh the same; the interval is by resampling tasks. */
  readonly macro: Interval | null;
}

/** pass@1 to pass@k, up to the most attempts of a task. */
export function passRows(rows: readonly AttemptRow[]): PassRow[] {
  const families = familiesOf(rows);
  return byAgent(rows).flatMap(([agent, own]) => {
    const tasks = taskResults(own);
    const most = tasks.reduce((all, { scored }) => Math.max(all, scored), 0);
    return Array.from({ length: most }, (_, i) => i + 1).map((k) => {
      const groups = families.map((family) =>
        tasks
          .filter((task) => task.family === family)
          .flatMap(({ scored, passed }) => passAtK(scored, passed, k) ?? []),
      );
      const all = groups.flat();
      const row = { agent, k, tasks: all.length, families: groups.map(shareOf), all: shareOf(all) };
      return { ...row, macro: bootstrap(groups) };
    });
  });
}

/** The tasks are the trials: attempts at one task say little about another. */
function shareOf(values: readonly number[]): Interval | null {
  const p = mean(values);
  return p === null ? null : wilson(p, values.length);
}
