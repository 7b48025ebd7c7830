import type { Change } from './compare.ts';
import { isSame, type Entry, type Tree } from './entry.ts';
import { entryHere, putHere, removeHere } from './here.ts';
import { contentPath } from './read-tree.ts';
import { linksOut, targetsHere } from './links.ts';

/** The effects that a pull would have on a folder. */
export interface PullPlan {
  /** Changes of paths that are here as they were copied, or as an earlier pull left them. */
  readonly apply: readonly Change[];
  /** Changes of paths that have changed here as well, in another way. */
  readonly conflicts: readonly Change[];
  /** Links that lead out of the folder, and paths below a link of this machine. */
  readonly unsafe: readonly Change[];
  /** Changes that are here already. */
  readonly done: readonly Change[];
}

/**
 * Compares three sides: what was copied, what is inside now, and what is here now. Changes nothing.
 * @param inside all that is in the sandbox
 * @param pulled what an earlier pull from the same sandbox has put here, by path; null for what it removed
 */
export async function planPull(
  folder: string,
  changes: readonly Change[],
  pulled: ReadonlyMap<string, Entry | null>,
  inside: Tree,
): Promise<PullPlan> {
  const plan = { apply: [], conflicts: [], unsafe: [], done: [] } as Record<keyof PullPlan, Change[]>;
  for (const change of changes) plan[await sideOf(folder, change, pulled)].push(change);
  const links = [...inside.entries].filter(([, { kind }]) => kind === 'link').map(([path]) => path);
  // A conflict may be decided for what is inside.
  const coming = [...plan.apply, ...plan.conflicts];
  const after = new Map(coming.map((each) => [each.path, each.after]));
  const out = await linksOut(targetsHere(folder), after, links);
  const isOut = ({ path }: Change) => out.has(path);
  return {
    apply: plan.apply.filter((change) => !isOut(change)),
    conflicts: plan.conflicts.filter((change) => !isOut(change)),
    unsafe: [...plan.unsafe, ...coming.filter(isOut)],
    done: plan.done,
  };
}

async function sideOf(
  folder: string,
  change: Change,
  pulled: ReadonlyMap<string, Entry | null>,
): Promise<keyof PullPlan> {
  const { path, before, after } = change;
  const here = await entryHere(folder, path);
  if (here === 'blocked') return 'unsafe';
  if (isSame(here, after)) return 'done';
  if (isSame(here, before)) return 'apply';
  const earlier = pulled.get(path);
  return earlier !== undefined && isSame(here, earlier) ? 'apply' : 'conflicts';
}

/**
 * Brings changes into a folder: first the removals, then the rest.
 * @param inside all that is in the sandbox
 * @param contents where the content of its files is. Errors: `unsafe-path`
 */
export async function applyChanges(
  folder: string,
  changes: readonly Change[],
  inside: Tree,
  contents: string,
): Promise<void> {
  const staysFolder = (path: string) => inside.entries.get(path)?.kind === 'folder';
  for (const { path, after } of changes) if (after === null) await removeHere(folder, path, staysFolder);
  for (const { path, after } of changes) {
    if (after === null) continue;
    await putHere(folder, path, after, after.kind === 'file' ? contentPath(contents, after.hash) : '');
  }
}
