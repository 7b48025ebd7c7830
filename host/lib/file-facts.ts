import type { Stats } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';

/** Whether a path leads to anything. Links are followed, here and below. */
export async function pathExists(path: string): Promise<boolean> {
  return (await findStats(path)) !== undefined;
}

export async function isFile(path: string): Promise<boolean> {
  return (await findStats(path))?.isFile() ?? false;
}

export async function isFolder(path: string): Promise<boolean> {
  return (await findStats(path))?.isDirectory() ?? false;
}

/** Milliseconds since a file was last written; 0 if there is no such file. */
export async function readAgeMs(path: string): Promise<number> {
  const info = await findStats(path);
  return info ? Date.now() - info.mtimeMs : 0;
}

/** For `catch`: undefined for a file that does not exist. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}

function findStats(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** What programs of any user may still write to the disk of a folder, in bytes. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
