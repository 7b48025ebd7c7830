import { createHash, randomUUID } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { copyFile, lstat, mkdir, open, readlink, rename, rm, rmdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PwpError } from '../../bridge/lib/index.ts';
import type { Entry, FileEntry, LinkEntry } from './entry.ts';

/**
 * The kind of a path below a folder of this machine; `blocked` where a link, a special file or a file is on the way.
 */
export async function entryHere(folder: string, path: string): Promise<Entry | 'blocked' | null> {
  const at = join(folder, path);
  if (await isBlocked(folder, path)) return 'blocked';
  const info = await statHere(at);
  if (info === null) return null;
  if (info.isDirectory()) return { kind: 'folder' };
  if (info.isSymbolicLink()) return { kind: 'link', target: await readlink(at) };
  if (!info.isFile()) return 'blocked';
  const executable = (info.mode & 0o111) !== 0;
  return { kind: 'file', executable, bytes: info.size, hash: await hashOf(at) };
}

/** Replaces what is at a path, without following a link. Errors: `unsafe-path`. */
export async function putHere(
  folder: string,
  path: string,
  entry: FileEntry | LinkEntry,
  content: string,
): Promise<void> {
  await makeFoldersHere(folder, dirname(path));
  const at = join(folder, path);
  const part = join(dirname(at), `.pwp-${randomUUID()}`);
  try {
    if (entry.kind === 'link') await symlink(entry.target, part);
    else await copyInto(content, part, modeFor(entry, await statHere(at)));
    await rename(part, at);
  } finally {
    await rm(part, { force: true });
  }
}

/** Removes a file or a link, and the folders that are empty without it. Errors: `unsafe-path`. */
export async function removeHere(
  folder: string,
  path: string,
  staysFolder: (path: string) => boolean,
): Promise<void> {
  if (await isBlocked(folder, path)) throw unsafe(path);
  await rm(join(folder, path), { force: true });
  for (let at = dirname(path); at !== '.' && !staysFolder(at); at = dirname(at)) {
    const isGone = await rmdir(join(folder, at)).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}

/** Makes the folders of a path below a folder. Errors: `unsafe-path` for a link or a file on the way. */
export async function makeFoldersHere(folder: string, path: string): Promise<void> {
  let at = folder;
  for (const name of path.split('/').filter((each) => each !== '.' && each !== '')) {
    at = join(at, name);
    const info = await statHere(at);
    if (info === null) await mkdir(at);
    else if (!info.isDirectory()) throw unsafe(path);
  }
}

async function isBlocked(folder: string, path: string): Promise<boolean> {
  const names = path.split('/').slice(0, -1);
  for (const [i] of names.entries()) {
    const info = await statHere(join(folder, ...names.slice(0, i + 1)));
    if (info === null) return false;
    if (!info.isDirectory()) return true;
  }
  return false;
}

/** Null where there is nothing. */
async function statHere(at: string): Promise<Stats | null> {
  return lstat(at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
}

async function hashOf(at: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of createReadStream(at)) sum.update(chunk as Buffer);
  return sum.digest('hex');
}

/** Who may read and write stays as it is; of what comes from inside only counts whether it can be executed. */
function modeFor({ executable }: FileEntry, there: Stats | null): number {
  const mode = there?.isFile() ? there.mode & 0o666 : 0o644;
  return executable ? mode | ((mode & 0o444) >> 2) : mode;
}

async function copyInto(content: string, part: string, mode: number): Promise<void> {
  await copyFile(content, part, constants.COPYFILE_EXCL);
  await using file = await open(part, 'r');
  await file.chmod(mode);
}

function unsafe(path: string): PwpError {
  return new PwpError('unsafe-path', `${path} is below a link or a file of this machine`);
}
