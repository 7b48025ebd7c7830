import type { AttemptRow } from './row.ts';

/** Rows by their agents, in the order in which agents appear. */
export function byAgent(rows: readonly AttemptRow[]): [string, AttemptRow[]][] {
  return [...Map.groupBy(rows, ({ agent }) => agent)];
}

/** Rows by their tasks, by name. */
export function byTask(rows: readonly AttemptRow[]): [string, AttemptRow[]][] {
  return sorted(Map.groupBy(rows, ({ task }) => task));
}

/** Rows by their families, by name. */
export function byFamily(rows: readonly AttemptRow[]): [string, AttemptRow[]][] {
  return sorted(Map.groupBy(rows, ({ family }) => family));
}

function sorted(groups: Map<string, AttemptRow[]>): [string, AttemptRow[]][] {
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
