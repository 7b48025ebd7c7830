import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { acquireLock, identifyThisProcess, isProcessAlive, readBootId } from '../../lib/index.ts';
import type { CheckpointInfo } from '../checkpoint.ts';
import {
  buildCheckpointPaths,
  buildStorePaths,
  type CheckpointMeta,
  checkpointMetaSchema,
  type CheckpointPaths,
  draftPrefix,
  isCheckpointId,
  locatePack,
  makeNoSuchCheckpointError,
  type PackedForm,
  packedFormSchema,
  readSealed,
  type StorePaths,
  trashPrefix,
} from './checkpoint-files.ts';
import { type Checksums, checksumsName, checksumsSchema, isFlushed } from './checksums.ts';
import type { EvictionCandidate } from './eviction.ts';
import { isMissingFile, makeDamagedError } from './store-failures.ts';

/** The facts about a checkpoint that its small files hold. */
export interface StoredCheckpoint {
  readonly id: string;
  readonly paths: CheckpointPaths;
  readonly meta: CheckpointMeta;
  /** Null if it is only packed. */
  readonly sums: Checksums | null;
  readonly packed: PackedForm | null;
  readonly packBytes: number;
  readonly proven: boolean;
  readonly usedAt: number;
}

/** The folders and files of a store, and the rules by which they come and go. */
export class StoreFiles {
  readonly paths: StorePaths;

  constructor(home: string) {
    this.paths = buildStorePaths(home);
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
    const paths = buildCheckpointPaths(this.paths, id);
    const meta = await readSealed(paths.meta, checkpointMetaSchema);
    if (!meta) throw makeNoSuchCheckpointError(id);
    const raw = await readSealed(join(paths.raw, checksumsName), checksumsSchema).then(
      (sums) => ({ sums, error: null }),
      (error: Error) => ({ sums: null, error }),
    );
    // Looked for after the raw form, which only goes when the pack exists.
    const packed = await readSealed(paths.packed, packedFormSchema);
    const { sums } = raw;
    if (!sums && !packed) {
      // It may have gone as a whole meanwhile.
      if (!(await statIfThere(paths.meta))) throw makeNoSuchCheckpointError(id);
      throw raw.error ?? makeDamagedError('it has neither images nor a pack');
    }
    const packBytes = packed ? ((await statIfThere(locatePack(this.paths, packed.pack)))?.size ?? 0) : 0;
    const proven = (await statIfThere(paths.proven)) !== null;
    const usedAt = (await statIfThere(paths.used))?.mtimeMs ?? 0;
    return { id, paths, meta, sums, packed, packBytes, proven, usedAt };
  }

  /** All that can be read; one that was removed meanwhile is left out. */
  async all(): Promise<StoredCheckpoint[]> {
    const found = await Promise.all((await this.ids()).map((id) => this.get(id).catch(() => null)));
    return found.filter((one) => one !== null);
  }

  async candidates(): Promise<EvictionCandidate[]> {
    return Promise.all((await this.all()).map(toEvictionCandidate));
  }

  /** A new folder that is this process's until it is renamed or removed. */
  async newDraftFolder(): Promise<string> {
    return join(this.paths.folder, `${draftPrefix}${await makeOwnerTag()}`);
  }

  /** Moves it out of the way as one step; the next sweep removes the rest. Null if it isn't there. */
  async toTrash(path: string): Promise<string | null> {
    const trash = join(this.paths.folder, `${trashPrefix}${randomBytes(8).toString('hex')}`);
    try {
      await rename(path, trash);
      return trash;
    } catch (error) {
      if (isMissingFile(error)) return null;
      throw error;
    }
  }

  /** Removes packs that no checkpoint names. Under the lock only. */
  async removeUnusedPacks(): Promise<void> {
    const needed = new Set<string>();
    for (const id of await this.ids()) {
      const packed = await readSealed(buildCheckpointPaths(this.paths, id).packed, packedFormSchema).catch(
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

export function toCheckpointInfo({ id, meta, sums, packBytes }: StoredCheckpoint): CheckpointInfo {
  return { id, ...meta, bytes: (sums?.bytes ?? 0) + packBytes, state: sums ? 'hot' : 'packed' };
}

async function toEvictionCandidate({
  id,
  paths,
  meta,
  sums,
  packBytes,
  proven,
  usedAt,
}: StoredCheckpoint): Promise<EvictionCandidate> {
  const { parent, key, takenAt } = meta;
  const held = await isCheckpointHeld(paths);
  const rawBytes = sums?.bytes ?? 0;
  return { id, parent, key, proven, held, takenAt: Date.parse(takenAt), usedAt, rawBytes, packBytes };
}

async function statIfThere(path: string): Promise<{ size: number; mtimeMs: number } | null> {
  return stat(path).catch(() => null);
}

/**
 * Removes one checkpoint. The pages that its children need stay until they are gone, too.
 * Errors: `no-such-checkpoint`, `checkpoint-in-use`.
 */
export async function removeCheckpoint(files: StoreFiles, id: string, signal: AbortSignal): Promise<void> {
  const trash = await files.exclusively(signal, async () => {
    const paths = buildCheckpointPaths(files.paths, id);
    if (await isCheckpointHeld(paths))
      throw new PwpError('checkpoint-in-use', `a sandbox is being restored from ${id}`, {
        help: 'Try again when it runs.',
      });
    const gone = await files.toTrash(paths.folder);
    if (gone === null) throw makeNoSuchCheckpointError(id);
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
      (name.startsWith(draftPrefix) && !(await isTagOwnerAlive(name.slice(draftPrefix.length))));
    if (isLeft) await rm(join(files.paths.folder, name), { recursive: true, force: true });
  }
  for (const id of await files.ids()) await sweepHolds(buildCheckpointPaths(files.paths, id));
  const boot = await readBootId();
  const lost = (await files.all()).filter(
    ({ sums, packed }) => sums && !packed && sums.bootId !== boot && !isFlushed(sums),
  );
  for (const { id } of lost) await removeCheckpoint(files, id, signal);
  await files.exclusively(signal, () => files.removeUnusedPacks());
  return lost.map(({ id }) => id);
}

/** Says that this process uses a checkpoint, until the result is disposed. Under the store's lock only. */
export async function addHold(paths: CheckpointPaths): Promise<AsyncDisposable> {
  await mkdir(paths.holds, { mode: 0o700, recursive: true });
  const file = join(paths.holds, await makeOwnerTag());
  await writeFile(file, '', { mode: 0o600 });
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}

/** Whether a living process uses it. */
export async function isCheckpointHeld(paths: CheckpointPaths): Promise<boolean> {
  const owned = await Promise.all((await listHoldTags(paths)).map(isTagOwnerAlive));
  return owned.includes(true);
}

/** Forgets users that are gone. */
async function sweepHolds(paths: CheckpointPaths): Promise<void> {
  for (const tag of await listHoldTags(paths)) {
    if (!(await isTagOwnerAlive(tag))) await rm(join(paths.holds, tag), { force: true });
  }
}

async function listHoldTags(paths: CheckpointPaths): Promise<string[]> {
  try {
    return await readdir(paths.holds);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** As it is in names of files: `<pid>-<start time>-<start of the boot id>-<random>`. */
const ownerTagPattern = /^(\d+)-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}$/;

/** A new name that says who made the file: the name exists from the start, so the maker of a file is never unknown. */
async function makeOwnerTag(): Promise<string> {
  const { pid, startTime } = await identifyThisProcess();
  return `${pid}-${startTime}-${(await readBootId()).slice(0, 8)}-${randomBytes(4).toString('hex')}`;
}

/** Whether the process of a tag still runs. Text that is not a tag has no owner. */
async function isTagOwnerAlive(tag: string): Promise<boolean> {
  const [, pid, startTime, boot] = ownerTagPattern.exec(tag) ?? [];
  if (pid === undefined || startTime === undefined || boot === undefined) return false;
  if (!(await readBootId()).startsWith(boot)) return false;
  return isProcessAlive({ pid: Number(pid), startTime });
}
