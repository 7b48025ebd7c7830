import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './errors.ts';
import { isOwned, ownerTag } from './owner.ts';
import type { CheckpointPaths } from './paths.ts';

/** Says that this process uses a checkpoint, until the result is disposed. Under the store's lock only. */
export async function addHold(paths: CheckpointPaths): Promise<AsyncDisposable> {
  await mkdir(paths.holds, { mode: 0o700, recursive: true });
  const file = join(paths.holds, await ownerTag());
  await writeFile(file, '', { mode: 0o600 });
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

/** Whether a living process uses it. */
export async function isHeld(paths: CheckpointPaths): Promise<boolean> {
  const owned = await Promise.all((await tags(paths)).map(isOwned));
  return owned.includes(true);
}

/** Forgets users that are gone. */
export async function sweepHolds(paths: CheckpointPaths): Promise<void> {
  for (const tag of await tags(paths)) {
    if (!(await isOwned(tag))) await rm(join(paths.holds, tag), { force: true });
  }
}

async function tags(paths: CheckpointPaths): Promise<string[]> {
  try {
    return await readdir(paths.holds);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
