import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';

/** Prefixes of folders that are not checkpoints: one in the making, and one on its way out. */
export const draftPrefix = '.draft-';
export const trashPrefix = '.trash-';

/** All files of one checkpoint; absolute paths. It exists when `folder` does, and is whole then. */
export interface CheckpointPaths {
  readonly folder: string;
  readonly meta: string;
  /** Touched at every use. */
  readonly used: string;
  /** Exists once it has been restored. */
  readonly proven: string;
  /** A file for each user, named by its {@link ownerTag}. */
  readonly holds: string;
  /** As it was dumped; exists while it is hot. */
  readonly raw: string;
  /** Names its pack; exists once it has one, also while it is hot. */
  readonly packed: string;
}

export interface StorePaths {
  readonly folder: string;
  /** Held for the milliseconds in which the set of checkpoints changes. */
  readonly lock: string;
  /** Held for the whole of a job in the background. */
  readonly background: string;
  readonly packs: string;
}

export function storePaths(home: string): StorePaths {
  const folder = join(home, 'checkpoints');
  return {
    folder,
    lock: join(folder, '.lock'),
    background: join(folder, '.background'),
    packs: join(folder, 'packs'),
  };
}

export function checkpointPaths(store: StorePaths, id: string): CheckpointPaths {
  return inFolder(join(store.folder, requireId(id)));
}

/** The same layout, wherever the folder is now. */
export function inFolder(folder: string): CheckpointPaths {
  return {
    folder,
    meta: join(folder, 'meta.json'),
    used: join(folder, 'used'),
    proven: join(folder, 'proven'),
    holds: join(folder, 'holds'),
    raw: join(folder, 'raw'),
    packed: join(folder, 'packed.json'),
  };
}

export function packPath(store: StorePaths, pack: string): string {
  return join(store.packs, `${pack}.pack`);
}

export const packPattern = /^[0-9a-f]{16}$/;

export function newPackId(): string {
  return randomBytes(8).toString('hex');
}

export function newCheckpointId(): string {
  return `ck-${randomBytes(4).toString('hex')}`;
}

/** Whether `id` can be a checkpoint's: nothing else may become part of a path. */
export function isCheckpointId(id: string): boolean {
  return /^ck-[0-9a-f]{8}$/.test(id);
}

function requireId(id: string): string {
  if (isCheckpointId(id)) return id;
  throw noSuchCheckpoint(id);
}

export function noSuchCheckpoint(id: string): PwpError {
  return new PwpError('no-such-checkpoint', `there is no checkpoint ${JSON.stringify(id)}`, {
    help: 'List the checkpoints: pwp checkpoints',
  });
}
