import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { acquireLock } from '../../../lib/index.ts';
import type { CheckpointInfo } from '../../checkpoint.ts';
import type { Candidate } from './evict.ts';
import { damaged, isMissing } from './errors.ts';
import { isHeld } from './holds.ts';
import { metaSchema, packedSchema, type CheckpointMeta, type Packed } from './meta.ts';
import {
  checkpointPaths,
  draftPrefix,
  isCheckpointId,
  noSuchCheckpoint,
  packPath,
  storePaths,
  trashPrefix,
  type CheckpointPaths,
  type StorePaths,
} from './paths.ts';
import { ownerTag } from './owner.ts';
import { readSealed } from './sealed.ts';
import { sumsName, sumsSchema, type Sums } from './sums.ts';

/** The facts about a checkpoint that its small files hold. */
export interface StoredCheckpoint {
  readonly id: string;
  readonly paths: CheckpointPaths;
  readonly meta: CheckpointMeta;
  /** Null if it is only packed. */
  readonly sums: Sums | null;
  readonly packed: Packed | null;
  readonly packBytes: number;
  readonly proven: boolean;
  readonly usedAt: number;
}

/** The folders and files of a store, and the rules by which they come and go. */
export class StoreFiles {
  readonly paths: StorePaths;

  constructor(home: string) {
    this.paths = storePaths(home);
  }

  /** One change of the set of checkpoints at a time, in all processes: for milliseconds, never during a write. */
  async exclusively<T>(signal: AbortSignal, change: () => Promise<T>): Promise<T> {
    const lock = await acquireLock(this.paths.lock, { signal });
    try {
      return await change();
    } finally {
      await lock[Symbol.asyncDispose]();
    }
  }

  async ids(): Promise<string[]> {
    return (await readdir(this.paths.folder)).filter(isCheckpointId);
  }

  /** Errors: `no-such-checkpoint`, `checkpoint-damaged` where its small files are. */
  async get(id: string): Promise<StoredCheckpoint> {
    const paths = checkpointPaths(this.paths, id);
    const meta = await readSealed(paths.meta, metaSchema);
    if (!meta) throw noSuchCheckpoint(id);
    const raw = await readSealed(join(paths.raw, sumsName), sumsSchema).then(
      (sums) => ({ sums, error: null }),
      (error: Error) => ({ sums: null, error }),
    );
    // Looked for after the raw form, which only goes when the pack exists.
    const packed = await readSealed(paths.packed, packedSchema);
    const { sums } = raw;
    if (!sums && !packed) {
      // It may have gone as a whole meanwhile.
      if (!(await sizeOf(paths.meta))) throw noSuchCheckpoint(id);
      throw raw.error ?? damaged('it has neither images nor a pack');
    }
    const packBytes = packed ? ((await sizeOf(packPath(this.paths, packed.pack)))?.size ?? 0) : 0;
    const proven = (await sizeOf(paths.proven)) !== null;
    const usedAt = (await sizeOf(paths.used))?.mtimeMs ?? 0;
    return { id, paths, meta, sums, packed, packBytes, proven, usedAt };
  }

  /** All that can be read; one that was removed meanwhile is left out. */
  async all(): Promise<StoredCheckpoint[]> {
    const found = await Promise.all((await this.ids()).map((id) => this.get(id).catch(() => null)));
    return found.filter((one) => one !== null);
  }

  async candidates(): Promise<Candidate[]> {
    return Promise.all((await this.all()).map(candidateOf));
  }

  /** A new folder that is this process's until it is renamed or removed. */
  async newDraftFolder(): Promise<string> {
    return join(this.paths.folder, `${draftPrefix}${await ownerTag()}`);
  }

  /** Moves it out of the way as one step; the next sweep removes the rest. Null if it isn't there. */
  async toTrash(path: string): Promise<string | null> {
    const trash = join(this.paths.folder, `${trashPrefix}${randomBytes(8).toString('hex')}`);
    try {
      await rename(path, trash);
      return trash;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  /** Removes packs that no checkpoint names. Under the lock only. */
  async removeUnusedPacks(): Promise<void> {
    const needed = new Set<string>();
    for (const id of await this.ids()) {
      const packed = await readSealed(checkpointPaths(this.paths, id).packed, packedSchema).catch(
        () => 'unknown' as const,
      );
      // A checkpoint that can't be read may need any of them.
      if (packed === 'unknown') return;
      if (packed) for (const pack of [packed.pack, ...packed.needs]) needed.add(pack);
    }
    for (const name of await readdir(this.paths.packs)) {
      if (!needed.has(name.replace(/\.pack$/, ''))) await rm(join(this.paths.packs, name), { force: true });
    }
  }
}

export function infoOf({ id, meta, sums, packBytes }: StoredCheckpoint): CheckpointInfo {
  return { id, ...meta, bytes: (sums?.bytes ?? 0) + packBytes, state: sums ? 'hot' : 'packed' };
}

async function candidateOf({
  id,
  paths,
  meta,
  sums,
  packBytes,
  proven,
  usedAt,
}: StoredCheckpoint): Promise<Candidate> {
  const { parent, key, takenAt } = meta;
  const held = await isHeld(paths);
  const rawBytes = sums?.bytes ?? 0;
  return { id, parent, key, proven, held, takenAt: Date.parse(takenAt), usedAt, rawBytes, packBytes };
}

async function sizeOf(path: string): Promise<{ size: number; mtimeMs: number } | null> {
  return stat(path).catch(() => null);
}
