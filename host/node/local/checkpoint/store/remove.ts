import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../../../bridge/lib/index.ts';
import { isHeld, sweepHolds } from './holds.ts';
import { bootId, isOwned } from './owner.ts';
import { checkpointPaths, draftPrefix, noSuchCheckpoint, trashPrefix } from './paths.ts';
import type { Shelf } from './shelf.ts';
import { isSettled } from './sums.ts';

/**
 * Removes one checkpoint. What its children need of its pages stays until they are gone, too.
 * Errors: `no-such-checkpoint`, `checkpoint-in-use`.
 */
export async function removeCheckpoint(shelf: Shelf, id: string, signal: AbortSignal): Promise<void> {
  const trash = await shelf.exclusively(signal, async () => {
    const paths = checkpointPaths(shelf.paths, id);
    if (await isHeld(paths))
      throw new PwpError('checkpoint-in-use', `a sandbox is being restored from ${id}`, {
        help: 'Try again when it runs.',
      });
    const gone = await shelf.toTrash(paths.folder);
    if (gone === null) throw noSuchCheckpoint(id);
    await shelf.removeUnusedPacks();
    return gone;
  });
  await rm(trash, { recursive: true, force: true });
}

/**
 * Removes what processes that are gone have left: drafts, half-removed checkpoints, packs without a checkpoint, and
 * checkpoints that a crash of the machine kept from reaching the disk. Answers the ids of the latter.
 */
export async function sweepStore(shelf: Shelf, signal: AbortSignal): Promise<string[]> {
  for (const name of await readdir(shelf.paths.folder)) {
    const isLeft =
      name.startsWith(trashPrefix) ||
      (name.startsWith(draftPrefix) && !(await isOwned(name.slice(draftPrefix.length))));
    if (isLeft) await rm(join(shelf.paths.folder, name), { recursive: true, force: true });
  }
  for (const id of await shelf.ids()) await sweepHolds(checkpointPaths(shelf.paths, id));
  const boot = await bootId();
  const lost = (await shelf.all()).filter(
    ({ sums, packed }) => sums && !packed && sums.bootId !== boot && !isSettled(sums),
  );
  for (const { id } of lost) await removeCheckpoint(shelf, id, signal);
  await shelf.exclusively(signal, () => shelf.removeUnusedPacks());
  return lost.map(({ id }) => id);
}
