import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import {
  listUntrusted,
  maxUntrustedBytes,
  readLinkTarget,
  readUntrusted,
  readUntrustedText,
  type UntrustedEntry,
} from '../../lib/index.ts';
import type { ArchiveEntry, LargeFile } from './archive.ts';

/** The files of a task, wherever they come from. */
export interface TaskFiles {
  /** Where it comes from, for errors: an absolute path. */
  readonly path: string;
  /** Further files of the workspace. */
  readonly large: readonly LargeFile[];
  /** Everything below one of its folders, e.g. `environment/workspace`; nothing if there is no such folder. */
  tree(folder: string): Promise<ArchiveEntry[]>;
  /**
   * A text with the variant's words in place; unchanged without a variant. Errors: `bad-task`.
   * @param name the file it is from
   */
  filledIn(name: string, text: string): string;
}

/** A file `NAME.symlink` becomes a symbolic link to the target in its text: npm packages can't contain links. */
const linkSuffix = '.symlink';
/** Bytes of such a text. */
const mostTargetBytes = 4096;

/**
 * Everything below one of the folders of a task or dataset, as archive entries; nothing if it doesn't exist. A link in it
 * stays one; nothing is read through a link that leads out. Errors: `bad-task`.
 * @param root the folder that the user named
 * @param below the folder in it, e.g. `environment/workspace`
 */
export async function readTreeEntries(root: string, below: string): Promise<ArchiveEntry[]> {
  try {
    const listed = await listUntrusted(root, below);
    await assertTreeFits(root, listed);
    return await Promise.all(listed.map((one) => readEntry(root, one)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw badTask(join(root, below), 'expected a folder', error);
    if (error instanceof PwpError && error.code === 'bad-task') throw error;
    throw badTask(join(root, below), describeError(error), error);
  }
}

async function readEntry(root: string, listed: UntrustedEntry): Promise<ArchiveEntry> {
  const { kind, path, at } = listed;
  if (kind === 'folder') return { kind, path };
  if (kind === 'link') return { kind, path, target: await readLinkTarget(listed) };
  if (kind === 'special') throw badTask(at, 'expected a file, a folder or a symbolic link');
  if (path.endsWith(linkSuffix) && basename(path) !== linkSuffix)
    return {
      kind: 'link',
      path: path.slice(0, -linkSuffix.length),
      target: (await readUntrustedText(root, at, mostTargetBytes)).trim(),
    };
  const [content, { mode }] = await Promise.all([readUntrusted(root, at), lstat(at)]);
  return { kind, path, content, executable: (mode & 0o100) !== 0 };
}

/** Checks the sizes before any of the files is read. */
async function assertTreeFits(root: string, listed: readonly UntrustedEntry[]): Promise<void> {
  const files = listed.filter(({ kind }) => kind === 'file');
  const sizes = await Promise.all(files.map(async ({ at }) => (await lstat(at)).size));
  const sum = sizes.reduce((all, size) => all + size, 0);
  if (sum > maxUntrustedBytes)
    throw badTask(root, `expected files of at most ${maxUntrustedBytes} bytes in all, found ${sum}`);
}

const shellScript = /\.(?:sh|bash)$/;
const carriageReturn = 13;

/**
 * A shell script without the CR before each line end that a checkout on Windows adds: bash would take it for a part of
 * the last word of each line. A text that has other line ends as well has them for a reason, and stays as it is.
 */
export function withUnixLineEnds(text: string): string {
  return /[^\r]\n|^\n/.test(text) ? text : text.replaceAll('\r\n', '\n');
}

/** A file of a task as programs of Linux can run it: as {@link withUnixLineEnds} if it is a script, else unchanged. */
export function makeRunnable(entry: ArchiveEntry): ArchiveEntry {
  if (entry.kind !== 'file' || !isScript(entry.path, entry.content)) return entry;
  const text = Buffer.from(entry.content).toString('latin1');
  const changed = withUnixLineEnds(text);
  return changed === text ? entry : { ...entry, content: Buffer.from(changed, 'latin1') };
}

/** A script of another language concerns its first line alone, but it has the same line ends throughout. */
function isScript(path: string, content: Uint8Array): boolean {
  if (!content.includes(carriageReturn)) return false;
  return shellScript.test(path) || (content[0] === 35 && content[1] === 33);
}

/** A task that can't be used as it is written: names the file and says what is wrong there. */
export function badTask(file: string, problem: string, cause?: unknown): PwpError {
  return new PwpError('bad-task', `${file}: ${problem}`, {
    help: 'docs/tasks.md describes every file and field of a task.',
    ...(cause === undefined ? {} : { cause }),
  });
}
