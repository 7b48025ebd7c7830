import { byAgent, type AttemptRow } from '../rows/index.ts';

/** One agent's rows. */
export interface AgentRows {
  readonly agent: string;
  readonly rows: readonly AttemptRow[];
}

/** Each pair of agents once, in the order in which they appear, up to the number that is useful in a table. */
export function pairsOf(rows: readonly AttemptRow[]): (readonly [AgentRows, AgentRows])[] {
  const agents = byAgent(rows).map(([agent, own]) => ({ agent, rows: own }));
  const pairs = agents.flatMap((one, i) => agents.slice(i + 1).map((other) => [one, other] as const));
  return pairs.slice(0, mostPairs);
}

/** The pairs of twelve agents. */
export const mostPairs = 66;
