import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { explainWrite } from './errors.ts';
import { bootId } from '../../../lib/index.ts';
import { checkRaw } from './packing.ts';
import { packPath } from './paths.ts';
import type { StoredCheckpoint, StoreFiles } from './store-files.ts';
import { work } from './work.ts';

/**
 * Makes sure that a checkpoint that this process holds is there raw, as it was dumped. One that is damaged is made
 * again where it has a pack. Errors: `checkpoint-damaged`, `disk-full`.
 */
export async function makeRaw(files: StoreFiles, kept: StoredCheckpoint, signal: AbortSignal): Promise<void> {
  if (kept.sums) {
    try {
      await checkRaw(kept, { idle: false, signal });
      return;
    } catch (error) {
      const again = kept.packed && error instanceof PwpError && error.code === 'checkpoint-damaged';
      if (!again) throw error;
    }
  }
  await unpackBeside(files, kept, signal);
}

async function unpackBeside(
  files: StoreFiles,
  { id, paths, packed }: StoredCheckpoint,
  signal: AbortSignal,
): Promise<void> {
  if (!packed) return;
  const draft = await files.newDraftFolder();
  const raw = join(draft, 'raw');
  try {
    await mkdir(draft, { mode: 0o700 });
    const packs = [packed.pack, ...packed.needs].map((name) => packPath(files.paths, name));
    await work({ kind: 'unpack', raw, packs, bootId: await bootId() }, { idle: false, signal });
    const trash = await files.exclusively(signal, async () => {
      const { sums } = await files.get(id);
      // Another process was faster, and its result is sound: it may be reading it.
      if (sums && (await isSound(files, id, signal))) return null;
      const old = existsSync(paths.raw) ? await files.toTrash(paths.raw) : null;
      await rename(raw, paths.raw);
      return old;
    });
    if (trash !== null) await rm(trash, { recursive: true, force: true });
  } catch (error) {
    throw explainWrite(error, files.paths.folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function isSound(files: StoreFiles, id: string, signal: AbortSignal): Promise<boolean> {
  return checkRaw(await files.get(id), { idle: false, signal }).then(
    () => true,
    () => false,
  );
}
