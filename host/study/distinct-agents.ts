import { basename } from 'node:path';

/** Names studies by their folders, and by whole paths if two folders have the same name. */
export function studyNames(folders: readonly string[]): ReadonlyMap<string, string> {
  const byName = Map.groupBy(new Set(folders), (folder) => basename(folder));
  const named = [...byName].flatMap(([name, own]) =>
    own.map((folder) => [folder, own.length === 1 ? name : folder] as const),
  );
  return new Map(named);
}

/** Agents with the same name in two studies are prefixed with their study's name, since their settings may differ. */
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
