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

function findStats(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** What programs of any user may still write to the disk of a folder, in bytes. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
