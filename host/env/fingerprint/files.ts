import { createHash } from 'node:crypto';
import type { HashOptions, Sandbox } from '../../node/index.ts';

/** The files of a sandbox that two runs can be compared by. */
export interface FileState {
  /** SHA-256 over all paths and contents, in hexadecimal digits. */
  readonly digest: string;
  /** By absolute path: the first 16 hexadecimal digits of the SHA-256 of the content, with `x` in front if executable; `->` and the target of a link; `folder`. */
  readonly entries: ReadonlyMap<string, string>;
}

/** Beyond these bounds nothing is compared: each file is read after every step. Python writes times into its caches. */
const bounds: HashOptions = { entries: 2000, bytes: 32 * 1024 ** 2, except: ['.git', '__pycache__'] };
const hashDigits = 16;
const workspace = '/workspace';
/** The user's settings of VS Code; the rest of the profile has times and random names. */
const settings = ['settings.json', 'keybindings.json', 'tasks.json'].map((name) => `/ide/data/User/${name}`);
const settingsBytes = 1024 ** 2;

/** The files of the workspace and the user's settings, from outside. Null if they are too many, or the disk is gone. */
export async function readFiles(sandbox: Sandbox, signal: AbortSignal): Promise<FileState | null> {
  try {
    const user = await Promise.all(
      settings.map(async (path) => [path, await sandbox.readFile(path, settingsBytes)] as const),
    );
    const found = await sandbox.hashes(workspace, { ...bounds, signal });
    return fileState([
      ...[...found].map(([path, text]) => [`${workspace}/${path}`, shortened(text)] as const),
      ...user.flatMap(([path, bytes]) => (bytes ? [[path, shortHash(bytes)] as const] : [])),
    ]);
  } catch {
    signal.throwIfAborted();
    return null;
  }
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

/** A hash with fewer digits; all else as it is. */
function shortened(text: string): string {
  return text.replace(/^(x?[0-9a-f]{16})[0-9a-f]{48}$/, '$1');
}

function shortHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, hashDigits);
}
