import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { explainWrite } from './errors.ts';
import { isHeld } from './holds.ts';
import { bootId } from '../../../lib/index.ts';
import { checkpointPaths, newPackId, packPath } from './paths.ts';
import { writeSealed } from './sealed.ts';
import type { StoredCheckpoint, StoreFiles } from './store-files.ts';
import { isFlushed, restamped, suspects, sumsName } from './sums.ts';
import { work } from './work.ts';

export interface PackOptions {
  readonly idle: boolean;
  readonly signal: AbortSignal;
}

/** Computes the checksums of a raw checkpoint and flushes its files to disk. */
export async function flushCheckpoint(
  files: StoreFiles,
  kept: StoredCheckpoint,
  options: PackOptions,
): Promise<void> {
  const { paths, sums } = kept;
  if (!sums || isFlushed(sums)) return;
  const flushed = await work({ kind: 'flush', raw: paths.raw, sums }, options);
  await files.exclusively(options.signal, async () => {
    if ((await files.get(kept.id)).sums) await writeSealed(join(paths.raw, sumsName), flushed);
  });
}

/**
 * Gives a checkpoint a pack, and before it all its ancestors that have none: they hold most of its pages. The raw ones
 * stay. Errors: `checkpoint-damaged`, `disk-full`, `no-such-checkpoint`.
 */
export async function packCheckpoint(files: StoreFiles, id: string, options: PackOptions): Promise<void> {
  for (const one of await lineage(files, id)) {
    await unlessOvertaken(files, one, options, async () => {
      await flushCheckpoint(files, await files.get(one), options);
      await packOne(files, await files.get(one), options);
    });
  }
}

/**
 * Another process may pack the same checkpoint, and put its raw files away while they are read here: then all is done.
 * Errors: those of the work, `no-such-checkpoint` where it was removed.
 */
async function unlessOvertaken(
  files: StoreFiles,
  id: string,
  { signal }: PackOptions,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    if ((await files.get(id)).sums) throw error;
  }
}

/** Ids of those without a pack, the checkpoint itself last. */
async function lineage(files: StoreFiles, id: string): Promise<string[]> {
  const line: string[] = [];
  let next: StoredCheckpoint | null = await files.get(id);
  while (next && !next.packed && !line.includes(next.id)) {
    line.unshift(next.id);
    const { parent }: StoredCheckpoint['meta'] = next.meta;
    next = parent === null ? null : await files.get(parent).catch(() => null);
  }
  return line;
}

async function packOne(files: StoreFiles, kept: StoredCheckpoint, options: PackOptions): Promise<void> {
  const { paths, sums, meta, id } = kept;
  if (!sums || kept.packed) return;
  await checkRaw(kept, options, 'all');
  const base = (await baseOf(files, kept)).map((name) => packPath(files.paths, name));
  const draft = await files.newDraftFolder();
  const target = join(draft, 'pack');
  try {
    await mkdir(draft, { mode: 0o700 });
    const job = {
      kind: 'pack',
      raw: paths.raw,
      target,
      scratch: join(draft, 'tar'),
      id,
      meta,
      base,
    } as const;
    const { needs } = await work(job, options);
    const names = needs.map(({ pack }) => pack);
    const done = await files.exclusively(options.signal, () => adopt(files, id, target, names));
    // A pack that it was made against was removed with its checkpoint meanwhile.
    if (!done) await packOne(files, await files.get(id), options);
  } catch (error) {
    throw explainWrite(error, files.paths.folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Returns whether all packs that it needs still exist. Under the lock only. */
async function adopt(
  files: StoreFiles,
  id: string,
  file: string,
  needs: readonly string[],
): Promise<boolean> {
  const kept = await files.get(id);
  if (kept.packed) return true;
  if (!needs.every((name) => existsSync(packPath(files.paths, name)))) return false;
  const pack = newPackId();
  await rename(file, packPath(files.paths, pack));
  await writeSealed(kept.paths.packed, { pack, needs });
  return true;
}

/** Packs that hold pages of the parent. */
async function baseOf(files: StoreFiles, { meta }: StoredCheckpoint): Promise<string[]> {
  const parent = meta.parent === null ? null : await files.get(meta.parent).catch(() => null);
  return parent?.packed ? [parent.packed.pack, ...parent.packed.needs] : [];
}

/**
 * Makes sure that a raw checkpoint is what was dumped: reads the files that were touched or are from an earlier boot,
 * or all of them. Errors: `checkpoint-damaged`.
 */
export async function checkRaw(
  { paths, sums }: StoredCheckpoint,
  options: PackOptions,
  which: 'doubtful' | 'all' = 'doubtful',
): Promise<void> {
  if (!sums) return;
  const boot = await bootId();
  const doubtful = suspects(paths.raw, sums, boot);
  const files = which === 'all' && isFlushed(sums) ? Object.keys(sums.files) : doubtful;
  if (files.length > 0) await work({ kind: 'check', raw: paths.raw, sums, paths: files }, options);
  if (doubtful.length > 0) await writeSealed(join(paths.raw, sumsName), restamped(paths.raw, sums, boot));
}

/** Removes the raw form of a checkpoint that has a pack and is not in use. Returns whether it did. */
export async function cool(files: StoreFiles, id: string, signal: AbortSignal): Promise<boolean> {
  const trash = await files.exclusively(signal, async () => {
    const { packed } = await files.get(id);
    const paths = checkpointPaths(files.paths, id);
    return packed && !(await isHeld(paths)) ? files.toTrash(paths.raw) : null;
  });
  if (trash === null) return false;
  await rm(trash, { recursive: true, force: true });
  return true;
}
