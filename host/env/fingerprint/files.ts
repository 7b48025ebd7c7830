import { createHash } from 'node:crypto';
import { readTree, type Entry, type TreeBounds } from '../../changes/index.ts';
import type { Sandbox } from '../../node/index.ts';

/** The files of a sandbox that two runs can be compared by. */
export interface FileState {
  /** SHA-256 over all paths and contents, in hexadecimal digits. */
  readonly digest: string;
  /** By absolute path: the first 16 hexadecimal digits of the SHA-256 of the content, with `x` in front if executable; `->` and the target of a link; `folder`. */
  readonly entries: ReadonlyMap<string, string>;
}

/** More is not compared: each file is read after every step. */
const bounds: TreeBounds = { entries: 2000, bytes: 32 * 1024 ** 2 };
const hashDigits = 16;
const workspace = '/workspace';
/** What a user of VS Code sets; the rest of the profile has times and random names. */
const settings = ['settings.json', 'keybindings.json', 'tasks.json'].map((name) => `/ide/data/User/${name}`);
const settingsBytes = 1024 ** 2;

/** The files of the workspace and the user's settings, from outside. Null if they are too many, or the disk is gone. */
export async function readFiles(sandbox: Sandbox, signal: AbortSignal): Promise<FileState | null> {
  try {
    const user = await Promise.all(
      settings.map(async (path) => [path, await sandbox.readFile(path, settingsBytes)] as const),
    );
    const tree = await sandbox.archive(workspace, (tar) => readTree(tar, { isIgnored, bounds }), { signal });
    return fileState([
      ...[...tree.entries].map(([path, entry]) => [`${workspace}/${path}`, textOf(entry)] as const),
      ...user.flatMap(([path, bytes]) => (bytes ? [[path, shortHash(bytes)] as const] : [])),
    ]);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** Python writes times into what it keeps there. */
function isIgnored(path: string): boolean {
  return path.split('/').includes('__pycache__');
}

export function fileState(files: readonly (readonly [path: string, content: string])[]): FileState {
  const entries = new Map(files.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { digest: digestOf(entries), entries };
}

/** The same for the same entries in the order of their paths. */
export function digestOf(entries: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...entries]))
    .digest('hex');
}

function textOf(entry: Entry): string {
  if (entry.kind === 'folder') return 'folder';
  if (entry.kind === 'link') return `->${entry.target}`;
  return `${entry.executable ? 'x' : ''}${entry.hash.slice(0, hashDigits)}`;
}

function shortHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, hashDigits);
}
