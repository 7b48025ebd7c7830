import { randomBytes } from 'node:crypto';
import { access, chmod, constants, chown, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { clip } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';

/**
 * Replaces a file's bytes atomically: a reader sees the old text or the new one, even if this process ends in the
 * middle. Mode and owner are kept. Errors: `stale-version` if the file has changed since it was read.
 */
export async function replaceFile(path: string, bytes: Uint8Array, read: Stats, name: string): Promise<void> {
  const now = await stat(path).catch(() => undefined);
  if (!now || now.ino !== read.ino || now.mtimeMs !== read.mtimeMs || now.size !== read.size)
    throw toolError('stale-version', `${name} was changed on disk at this moment`, { help: 'Read it again' });
  // Another hard link to the file would keep the old text.
  if (now.nlink > 1 || !(await mayAdd(dirname(path)))) await writeFile(path, bytes);
  else await swapIn(path, bytes, now);
}

/** Whether a file can be created in a folder; in a read-only folder, existing files can still be written. */
function mayAdd(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Creates a file with its folders. Errors: `already-exists`. */
export async function createFile(path: string, bytes: Uint8Array, name: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw toolError('already-exists', `${name} is there already`, { cause: error });
  }
}

async function swapIn(path: string, bytes: Uint8Array, { mode, uid, gid }: Stats): Promise<void> {
  const temporary = join(
    dirname(path),
    `.${clip(basename(path), 100)}.${randomBytes(4).toString('hex')}.tmp`,
  );
  try {
    await using file = await open(temporary, 'wx', 0o600);
    await file.writeFile(bytes);
    await chmod(temporary, mode & 0o7777);
    // Only root may change a file's owner; anyone else owns the new file already.
    if (process.getuid?.() === 0) await chown(temporary, uid, gid);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
