import { bootstrap, type Interval } from '../numbers/index.ts';
import { byAgent, isPassed, isScored, type AttemptRow } from '../rows/index.ts';
import { familiesOf, taskResults } from './tasks.ts';

/** Mean rewards of one agent. */
export interface ScoreRow {
  readonly agent: string;
  /** All tasks weigh the same; the intervals are by resampling tasks. In the order of the families' names. */
  readonly families: readonly (Interval | null)[];
  /** All families weigh the same. */
  readonly macro: Interval | null;
  readonly attempts: number;
  readonly passed: number;
  /** With a score from a sandbox that was not whole: in the means, but not in `passed`. */
  readonly suspect: number;
  /** The passed attempts whose tests run the agent's code beside them, which can forge a pass. */
  readonly forgeable: number;
  /** Without a score: in no mean. */
  readonly unscored: number;
}

export function scoreRows(rows: readonly AttemptRow[]): ScoreRow[] {
  const families = familiesOf(rows);
  return byAgent(rows).map(([agent, own]) => {
    const tasks = taskResults(own);
    const groups = families.map((family) =>
      tasks.filter((task) => task.family === family).flatMap(({ reward }) => reward ?? []),
    );
    return {
      agent,
      families: groups.map((group) => bootstrap([group])),
      macro: bootstrap(groups),
      attempts: own.length,
      passed: own.filter(isPassed).length,
      suspect: own.filter(({ trustworthy }) => trustworthy === false).length,
      forgeable: own.filter((row) => isPassed(row) && row.trust !== null).length,
      unscored: own.filter((row) => !isScored(row)).length,
    };
  });
}
