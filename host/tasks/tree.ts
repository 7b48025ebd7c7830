import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  listForeign,
  mostForeignBytes,
  readForeign,
  readForeignText,
  targetOf,
  type Listed,
} from '../lib/index.ts';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { badTask } from './bad-task.ts';
import type { Entry } from './archive.ts';

/** A file `NAME.symlink` becomes a symbolic link to the target in its text: npm packages can't contain links. */
const linkSuffix = '.symlink';
/** Bytes of such a text. */
const mostTarget = 4096;

/**
 * Everything below one of the folders of a task or dataset, as archive entries; nothing if it doesn't exist. A link in it
 * stays one; nothing is read through a link that leads out. Errors: `bad-task`.
 * @param root the folder that the user named
 * @param below the folder in it, e.g. `environment/workspace`
 */
export async function readTree(root: string, below: string): Promise<Entry[]> {
  try {
    const listed = await listForeign(root, below);
    await assertFits(root, listed);
    return await Promise.all(listed.map((one) => entryOf(root, one)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw badTask(join(root, below), 'expected a folder', error);
    if (error instanceof PwpError && error.code === 'bad-task') throw error;
    throw badTask(join(root, below), messageOf(error), error);
  }
}

async function entryOf(root: string, listed: Listed): Promise<Entry> {
  const { kind, path, at } = listed;
  if (kind === 'folder') return { kind, path };
  if (kind === 'link') return { kind, path, target: await targetOf(listed) };
  if (kind === 'special') throw badTask(at, 'expected a file, a folder or a symbolic link');
  if (path.endsWith(linkSuffix) && basename(path) !== linkSuffix)
    return {
      kind: 'link',
      path: path.slice(0, -linkSuffix.length),
      target: (await readForeignText(root, at, mostTarget)).trim(),
    };
  const [content, { mode }] = await Promise.all([readForeign(root, at), lstat(at)]);
  return { kind, path, content, executable: (mode & 0o100) !== 0 };
}

/** Checks the sizes before any of the files is read. */
async function assertFits(root: string, listed: readonly Listed[]): Promise<void> {
  const files = listed.filter(({ kind }) => kind === 'file');
  const sizes = await Promise.all(files.map(async ({ at }) => (await lstat(at)).size));
  const sum = sizes.reduce((all, size) => all + size, 0);
  if (sum > mostForeignBytes)
    throw badTask(root, `expected files of at most ${mostForeignBytes} bytes in all, found ${sum}`);
}
