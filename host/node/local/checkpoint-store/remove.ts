import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { isHeld, sweepHolds } from './holds.ts';
import { bootId } from '../../../lib/index.ts';
import { isOwned } from './owner.ts';
import { checkpointPaths, draftPrefix, noSuchCheckpoint, trashPrefix } from './paths.ts';
import type { StoreFiles } from './store-files.ts';
import { isFlushed } from './sums.ts';

/**
 * Removes one checkpoint. The pages that its children need stay until they are gone, too.
 * Errors: `no-such-checkpoint`, `checkpoint-in-use`.
 */
export async function removeCheckpoint(files: StoreFiles, id: string, signal: AbortSignal): Promise<void> {
  const trash = await files.exclusively(signal, async () => {
    const paths = checkpointPaths(files.paths, id);
    if (await isHeld(paths))
      throw new PwpError('checkpoint-in-use', `a sandbox is being restored from ${id}`, {
        help: 'Try again when it runs.',
      });
    const gone = await files.toTrash(paths.folder);
    if (gone === null) throw noSuchCheckpoint(id);
    await files.removeUnusedPacks();
    return gone;
  });
  await rm(trash, { recursive: true, force: true });
}

/**
 * Removes the leftovers of processes that are gone: drafts, half-removed checkpoints, packs without a checkpoint, and
 * checkpoints that a crash of the machine kept from reaching the disk. Returns the ids of the latter.
 */
export async function sweepStore(files: StoreFiles, signal: AbortSignal): Promise<string[]> {
  for (const name of await readdir(files.paths.folder)) {
    const isLeft =
      name.startsWith(trashPrefix) ||
      (name.startsWith(draftPrefix) && !(await isOwned(name.slice(draftPrefix.length))));
    if (isLeft) await rm(join(files.paths.folder, name), { recursive: true, force: true });
  }
  for (const id of await files.ids()) await sweepHolds(checkpointPaths(files.paths, id));
  const boot = await bootId();
  const lost = (await files.all()).filter(
    ({ sums, packed }) => sums && !packed && sums.bootId !== boot && !isFlushed(sums),
  );
  for (const { id } of lost) await removeCheckpoint(files, id, signal);
  await files.exclusively(signal, () => files.removeUnusedPacks());
  return lost.map(({ id }) => id);
}
