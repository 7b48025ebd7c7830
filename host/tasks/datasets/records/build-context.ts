import { createHash, randomBytes } from 'node:crypto';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract } from 'tar';
import { contextsFolder, isFolder } from '../../../lib/index.ts';
import { type ArchiveEntry, packArchive } from '../../format/index.ts';

/**
 * A folder with these files, that an image is built from; the same for the same files, so that the image is built once.
 * @param entries a Dockerfile among them
 * @param name for people, a part of its path
 */
export async function writeBuildContext(name: string, entries: readonly ArchiveEntry[]): Promise<string> {
  const tar = packArchive(entries);
  const digest = createHash('sha256').update(tar).digest('hex').slice(0, 16);
  const path = join(contextsFolder(), `${name}-${digest}`);
  if (await isFolder(path)) return path;
  const unfinished = `${path}.${randomBytes(4).toString('hex')}`;
  await mkdir(unfinished, { recursive: true });
  try {
    await pipeline(Readable.from([tar]), extract({ cwd: unfinished, preserveOwner: false }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another one of the same files was faster.
    if (!(await isFolder(path))) throw error;
  }
  return path;
}
