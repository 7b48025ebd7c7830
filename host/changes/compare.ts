import { isSame, type Entry, type FileEntry, type LinkEntry, type Tree } from './entry.ts';

/** One path that has changed. Folders appear through their contents only, as for Git. */
export interface Change {
  readonly path: string;
  /** Null if the path did not exist. */
  readonly before: FileEntry | LinkEntry | null;
  /** Null if the path is gone. */
  readonly after: FileEntry | LinkEntry | null;
}

export type ChangeKind = 'added' | 'changed' | 'deleted';

export function kindOf({ before, after }: Change): ChangeKind {
  return before === null ? 'added' : after === null ? 'deleted' : 'changed';
}

/** The differences between two trees, in the order of paths. */
export function changesBetween(before: Tree, after: Tree): Change[] {
  const paths = new Set([...before.entries.keys(), ...after.entries.keys()]);
  const all = [...paths].sort().map((path) => ({
    path,
    before: withoutFolder(before.entries.get(path)),
    after: withoutFolder(after.entries.get(path)),
  }));
  return all.filter((change) => !isSame(change.before, change.after));
}

/** Those of one path or below it; all for an empty path. */
export function changesBelow(changes: readonly Change[], path: string): Change[] {
  return changes.filter((each) => path === '' || each.path === path || each.path.startsWith(`${path}/`));
}

function withoutFolder(entry: Entry | undefined): FileEntry | LinkEntry | null {
  return entry === undefined || entry.kind === 'folder' ? null : entry;
}
