import { basename } from 'node:path';

/** Studies by their folders' names; by whole paths where two folders have the same name. */
export function studyNames(folders: readonly string[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(new Set(folders), (folder) => basename(folder));
  const named = [...byName].flatMap(([name, own]) =>
    own.map((folder) => [folder, own.length === 1 ? name : folder] as const),
  );
  return new Map(named);
}

/** Agents of one name in two studies are two agents, since their settings may differ: their studies' names come first. */
export function withDistinctAgents<T extends { readonly study: string | null; readonly agent: string }>(
  rows: readonly T[],
): T[] {
  const studies = new Map<string, Set<string | null>>();
  for (const { agent, study } of rows)
    studies.set(agent, (studies.get(agent) ?? new Set<string | null>()).add(study));
  return rows.map((row) =>
    row.study !== null && (studies.get(row.agent)?.size ?? 0) > 1
      ? { ...row, agent: `${row.study}: ${row.agent}` }
      : row,
  );
}
