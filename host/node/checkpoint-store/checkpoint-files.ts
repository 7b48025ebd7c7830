import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import {
  defaultWorkspace,
  displaySize,
  networkPolicy,
  sandboxBounds,
  workspaceFolder,
} from '../../../bridge/protocol/index.ts';
import type { CheckpointInfo } from '../checkpoint.ts';
import { isMissingFile, makeDamagedError } from './store-failures.ts';

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
  /** A file for each user, named by its {@link makeOwnerTag}. */
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

export function buildStorePaths(home: string): StorePaths {
  const folder = join(home, 'checkpoints');
  return {
    folder,
    lock: join(folder, '.lock'),
    background: join(folder, '.background'),
    packs: join(folder, 'packs'),
  };
}

export function buildCheckpointPaths(store: StorePaths, id: string): CheckpointPaths {
  return locateCheckpointFiles(join(store.folder, requireCheckpointId(id)));
}

/** The same layout, wherever the folder is now. */
export function locateCheckpointFiles(folder: string): CheckpointPaths {
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

export function locatePack(store: StorePaths, pack: string): string {
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

function requireCheckpointId(id: string): string {
  if (isCheckpointId(id)) return id;
  throw makeNoSuchCheckpointError(id);
}

export function makeNoSuchCheckpointError(id: string): PwpError {
  return new PwpError('no-such-checkpoint', `there is no checkpoint ${JSON.stringify(id)}`, {
    help: 'List the checkpoints: pwp checkpoints',
  });
}

/** Facts that are written down when a checkpoint is taken, and never change. */
export type CheckpointMeta = Omit<CheckpointInfo, 'id' | 'bytes' | 'state'>;

export const checkpointMetaSchema: z.ZodType<CheckpointMeta> = z.object({
  name: z.string().max(200).nullable(),
  parent: z.string().refine(isCheckpointId).nullable(),
  kind: z.enum(['live', 'disk']),
  role: z.enum(['ide', 'bare']),
  image: z.string(),
  root: z.string().nullable().default(null),
  key: z.string().nullable(),
  display: displaySize,
  limits: sandboxBounds,
  network: networkPolicy,
  // Checkpoints of earlier versions do not have the following.
  workspace: workspaceFolder.default(defaultWorkspace),
  origin: z.string().max(60).nullable().default(null),
  kept: z.boolean().default(false),
  takenAt: z.iso.datetime(),
  frozenMs: z.number().nonnegative(),
});

/** Where the packed form of a checkpoint is: its own pack, and those of others that hold pages of it. */
export const packedFormSchema = z.object({
  pack: z.string().regex(packPattern),
  needs: z.array(z.string().regex(packPattern)),
});
export type PackedForm = z.output<typeof packedFormSchema>;

const sealSchema = z.object({ crc32: z.number(), content: z.string() });

/** A small JSON file that reveals a changed byte. */
export function sealValue(value: unknown): string {
  const content = JSON.stringify(value);
  return JSON.stringify({ crc32: crc32(content), content });
}

/** Replaces the file as one step: a reader sees the old or the new one. */
export async function writeSealed(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, sealValue(value), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** Null if there is no such file. Errors: `checkpoint-damaged`. */
export async function readSealed<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const { content, ...stated } = sealSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    if (crc32(content) !== stated.crc32) throw makeDamagedError(`${basename(path)} has changed`);
    return schema.parse(JSON.parse(content));
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw makeDamagedError(`${basename(path)} can't be read`, error);
  }
}
