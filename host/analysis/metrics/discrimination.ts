import { deviation } from '../numbers/index.ts';
import { byAgent, type AttemptRow } from '../rows/index.ts';
import { taskResults } from './tasks.ts';

/** How much agents differ at one task. */
export interface DiscriminationRow {
  readonly task: string;
  /** Share of passed attempts of each agent, in the order in which agents appear; null without a score. */
  readonly agents: readonly (number | null)[];
  /** Standard deviation of a sample over the agents; null with fewer than two. */
  readonly deviation: number | null;
  readonly isDiscriminative: boolean;
}

/** The deviation from which a task is discriminative. */
export const discriminativeFrom = 0.35;

/** The most discriminative first. */
export function discriminationRows(rows: readonly AttemptRow[]): DiscriminationRow[] {
  const agents = byAgent(rows).map(([, own]) => new Map(taskResults(own).map((one) => [one.task, one])));
  const tasks = [...new Set(agents.flatMap((own) => [...own.keys()]))].toSorted();
  const all = tasks.map((task) => {
    const shares = agents.map((own) => {
      const { passed = 0, scored = 0 } = own.get(task) ?? {};
      return scored === 0 ? null : passed / scored;
    });
    const spread = deviation(shares.flatMap((one) => one ?? []));
    return { task, agents: shares, deviation: spread, isDiscriminative: (spread ?? 0) >= discriminativeFrom };
  });
  return all.toSorted((one, other) => (other.deviation ?? -1) - (one.deviation ?? -1));
}
