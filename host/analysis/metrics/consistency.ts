import { deviation, mean, variance } from '../numbers/index.ts';
import { byAgent, byTask, testRateOf, type AttemptRow } from '../rows/index.ts';

/** How consistent an agent is, at tasks with at least two scores. */
export interface ConsistencyRow {
  readonly agent: string;
  readonly tasks: number;
  /** Standard deviation of the test pass rate over the attempts, averaged over tasks. */
  readonly sigma: number | null;
  /** Variance of the tasks' means, and mean of the variances within tasks. */
  readonly between: number | null;
  readonly within: number | null;
  /** between / (between + within); null if nothing varies. */
  readonly icc: number | null;
  /** between / within; null if nothing varies within a task. */
  readonly reliability: number | null;
}

export function consistencyRows(rows: readonly AttemptRow[]): ConsistencyRow[] {
  return byAgent(rows).map(([agent, own]) => {
    const tasks = byTask(own)
      .map(([, ofTask]) => ofTask.flatMap((row) => testRateOf(row) ?? []))
      .filter((rates) => rates.length >= 2);
    const between = variance(tasks.flatMap((rates) => mean(rates) ?? []));
    const within = mean(tasks.flatMap((rates) => variance(rates) ?? []));
    const isKnown = between !== null && within !== null;
    return {
      ...{ agent, tasks: tasks.length, sigma: mean(tasks.flatMap((rates) => deviation(rates) ?? [])) },
      ...{ between, within },
      icc: isKnown && between + within > 0 ? between / (between + within) : null,
      reliability: isKnown && within > 0 ? between / within : null,
    };
  });
}
