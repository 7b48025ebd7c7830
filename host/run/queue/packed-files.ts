import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { create, extract } from 'tar';
import { type Cancellable, PwpError } from '../../../bridge/lib/index.ts';
import { contentHash, openTemporaryFolder, pathExists } from '../../lib/index.ts';
import type { BlobStore } from './blob-store.ts';

/** Files and folders, by their paths in a folder. */
export interface PackedPaths {
  readonly folder: string;
  readonly paths: readonly string[];
}

/** Puts an archive into the store, unless it is there. */
export async function putFiles(
  store: BlobStore,
  name: string,
  { folder, paths }: PackedPaths,
  options: Cancellable,
): Promise<void> {
  if (await store.has(name, options)) return;
  await using scratch = await openTemporaryFolder('package');
  const file = join(scratch.path, 'files.tar');
  await create({ cwd: folder, file, portable: true }, [...paths]);
  await store.put(name, file, options);
}

/** The hash of the content, under the paths. */
export function hashPaths({ folder, paths }: PackedPaths): Promise<string> {
  return contentHash(
    paths.map((path) => join(folder, path)),
    paths,
  );
}

interface FetchOptions extends Cancellable {
  readonly store: BlobStore;
  readonly cache: string;
}

/**
 * Errors: those of {@link BlobStore.get}; `no-data` for content that is not what the name says.
 * @param listPaths what was packed, in its order
 * @returns the folder with the files of an archive, which is kept for further attempts
 */
export async function fetchFiles(
  name: string,
  listPaths: (unpacked: string) => readonly string[] | Promise<readonly string[]>,
  { store, cache, signal }: FetchOptions,
): Promise<string> {
  const hash = basename(name, '.tar');
  const place = join(cache, hash);
  if (await pathExists(place)) return place;
  await mkdir(cache, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(cache, '.draft-'));
  try {
    const [file, unpacked] = [join(draft, 'files.tar'), join(draft, 'files')];
    await store.get(name, file, { signal });
    await unpackFiles(file, unpacked);
    if ((await hashPaths({ folder: unpacked, paths: await listPaths(unpacked) })) !== hash)
      throw new PwpError('no-data', `${name} in the store is damaged`, {
        help: 'Remove it there: the next start of the study puts it there again.',
      });
    // Another attempt may have fetched it meanwhile.
    await rename(unpacked, place).catch(async (error: unknown) => {
      if (!(await pathExists(place))) throw error;
    });
    return place;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Paths outside of the folder, also by links, are refused. */
export async function unpackFiles(file: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await extract({ file, cwd: folder, strict: true, preserveOwner: false });
}
