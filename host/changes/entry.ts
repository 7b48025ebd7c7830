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

export interface FolderEntry {
  readonly kind: 'folder';
}

export type Entry = FileEntry | LinkEntry | FolderEntry;

/**
 * Why something in a sandbox is not looked at: `git` is in a `.git` folder, where files can run programs; `name` can't
 * be a path below a folder of this machine; `special` is a pipe, a socket or a device.
 */
export type WhyOmitted = 'git' | 'ignored' | 'name' | 'special';

export interface Omitted {
  readonly path: string;
  readonly why: WhyOmitted;
}

/** The contents of a folder, by path below it. */
export interface Tree {
  /** Whether it was a folder that was read; else it is one file. */
  readonly isFolder: boolean;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly omitted: readonly Omitted[];
}

export function isSame(a: Entry | null, b: Entry | null): boolean {
  if (a === null || b === null || a.kind !== b.kind) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash && a.executable === b.executable;
  return a.kind !== 'link' || b.kind !== 'link' || a.target === b.target;
}
