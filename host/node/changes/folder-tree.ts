export interface FileEntry {
  readonly kind: 'file';
  readonly executable: boolean;
  readonly bytes: number;
  /** SHA-256 of its content. */
  readonly hash: string;
}

export interface LinkEntry {
  readonly kind: 'link';
  readonly target: string;
}

interface FolderEntry {
  readonly kind: 'folder';
}

export type TreeEntry = FileEntry | LinkEntry | FolderEntry;

/**
 * Why something in a sandbox is not looked at: `git` is in a `.git` folder, where files can run programs; `name` can't
 * be a path below a folder of this machine; `special` is a pipe, a socket or a device.
 */
export type OmissionReason = 'git' | 'ignored' | 'name' | 'special';

export interface OmittedPath {
  readonly path: string;
  readonly why: OmissionReason;
}

/** The contents of a folder, by path below it. */
export interface FolderTree {
  /** Whether it was a folder that was read; else it is one file. */
  readonly isFolder: boolean;
  readonly entries: ReadonlyMap<string, TreeEntry>;
  readonly omitted: readonly OmittedPath[];
}

export function isSameEntry(a: TreeEntry | null, b: TreeEntry | null): boolean {
  if (a === null || b === null || a.kind !== b.kind) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash && a.executable === b.executable;
  return a.kind !== 'link' || b.kind !== 'link' || a.target === b.target;
}

/** One path that has changed. Folders appear through their contents only, as for Git. */
export interface PathChange {
  readonly path: string;
  /** Null if the path did not exist. */
  readonly before: FileEntry | LinkEntry | null;
  /** Null if the path is gone. */
  readonly after: FileEntry | LinkEntry | null;
}

export type PathChangeKind = 'added' | 'changed' | 'deleted';

export function classifyChange({ before, after }: PathChange): PathChangeKind {
  return before === null ? 'added' : after === null ? 'deleted' : 'changed';
}

/** The differences between two trees, in the order of paths. */
export function compareTrees(before: FolderTree, after: FolderTree): PathChange[] {
  const paths = new Set([...before.entries.keys(), ...after.entries.keys()]);
  const all = [...paths].sort().map((path) => ({
    path,
    before: withoutFolder(before.entries.get(path)),
    after: withoutFolder(after.entries.get(path)),
  }));
  return all.filter((change) => !isSameEntry(change.before, change.after));
}

/** Those of one path or below it; all for an empty path. */
export function filterChangesBelow(changes: readonly PathChange[], path: string): PathChange[] {
  return changes.filter((each) => path === '' || each.path === path || each.path.startsWith(`${path}/`));
}

function withoutFolder(entry: TreeEntry | undefined): FileEntry | LinkEntry | null {
  return entry === undefined || entry.kind === 'folder' ? null : entry;
}
