import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../../../bridge/lib/index.ts';
import { explainWrite } from './errors.ts';
import { bootId } from './owner.ts';
import { checkRaw } from './packing.ts';
import { packPath } from './paths.ts';
import type { Kept, Shelf } from './shelf.ts';
import { work } from './work.ts';

/**
 * Sees to it that a checkpoint that this process holds is there raw, as it was dumped. One that is damaged is made again
 * where it has a pack. Errors: `checkpoint-damaged`, `disk-full`.
 */
export async function makeRaw(shelf: Shelf, kept: Kept, signal: AbortSignal): Promise<void> {
  if (kept.sums) {
    try {
      await checkRaw(kept, { idle: false, signal });
      return;
    } catch (error) {
      const again = kept.packed && error instanceof PwpError && error.code === 'checkpoint-damaged';
      if (!again) throw error;
    }
  }
  await unpackBeside(shelf, kept, signal);
}

async function unpackBeside(shelf: Shelf, { id, paths, packed }: Kept, signal: AbortSignal): Promise<void> {
  if (!packed) return;
  const draft = await shelf.newDraftFolder();
  const raw = join(draft, 'raw');
  try {
    await mkdir(draft, { mode: 0o700 });
    const packs = [packed.pack, ...packed.needs].map((name) => packPath(shelf.paths, name));
    await work({ kind: 'unpack', raw, packs, bootId: await bootId() }, { idle: false, signal });
    const trash = await shelf.exclusively(signal, async () => {
      const { sums } = await shelf.get(id);
      // Somebody else was faster, and what he made is sound: he may be reading it.
      if (sums && (await isSound(shelf, id, signal))) return null;
      const old = existsSync(paths.raw) ? await shelf.toTrash(paths.raw) : null;
      await rename(raw, paths.raw);
      return old;
    });
    if (trash !== null) await rm(trash, { recursive: true, force: true });
  } catch (error) {
    throw explainWrite(error, shelf.paths.folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function isSound(shelf: Shelf, id: string, signal: AbortSignal): Promise<boolean> {
  return checkRaw(await shelf.get(id), { idle: false, signal }).then(
    () => true,
    () => false,
  );
}
