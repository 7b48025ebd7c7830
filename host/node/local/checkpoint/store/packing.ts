import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { explainWrite } from './errors.ts';
import { isHeld } from './holds.ts';
import { bootId } from './owner.ts';
import { checkpointPaths, newPackId, packPath } from './paths.ts';
import { writeSealed } from './sealed.ts';
import type { Kept, Shelf } from './shelf.ts';
import { isSettled, restamped, suspects, sumsName } from './sums.ts';
import { work } from './work.ts';

export interface PackOptions {
  readonly idle: boolean;
  readonly signal: AbortSignal;
}

/** Gives a raw checkpoint its checksums, and sees to it that it is on the disk for good. */
export async function settleCheckpoint(shelf: Shelf, kept: Kept, options: PackOptions): Promise<void> {
  const { paths, sums } = kept;
  if (!sums || isSettled(sums)) return;
  const settled = await work({ kind: 'settle', raw: paths.raw, sums }, options);
  await shelf.exclusively(options.signal, async () => {
    if ((await shelf.get(kept.id)).sums) await writeSealed(join(paths.raw, sumsName), settled);
  });
}

/**
 * Gives a checkpoint a pack, and before it all its ancestors that have none: they hold most of its pages. The raw ones
 * stay. Errors: `checkpoint-damaged`, `disk-full`, `no-such-checkpoint`.
 */
export async function packCheckpoint(shelf: Shelf, id: string, options: PackOptions): Promise<void> {
  for (const one of await lineage(shelf, id)) {
    await unlessOvertaken(shelf, one, options, async () => {
      await settleCheckpoint(shelf, await shelf.get(one), options);
      await packOne(shelf, await shelf.get(one), options);
    });
  }
}

/**
 * Another process may pack the same checkpoint, and put its raw files away while they are read here: then all is done.
 * Errors: those of the work, `no-such-checkpoint` where it was removed.
 */
async function unlessOvertaken(
  shelf: Shelf,
  id: string,
  { signal }: PackOptions,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    signal.throwIfAborted();
    if ((await shelf.get(id)).sums) throw error;
  }
}

/** Ids of those without a pack, the checkpoint itself last. */
async function lineage(shelf: Shelf, id: string): Promise<string[]> {
  const line: string[] = [];
  let next: Kept | null = await shelf.get(id);
  while (next && !next.packed && !line.includes(next.id)) {
    line.unshift(next.id);
    const { parent }: Kept['meta'] = next.meta;
    next = parent === null ? null : await shelf.get(parent).catch(() => null);
  }
  return line;
}

async function packOne(shelf: Shelf, kept: Kept, options: PackOptions): Promise<void> {
  const { paths, sums, meta, id } = kept;
  if (!sums || kept.packed) return;
  await checkRaw(kept, options, 'all');
  const base = (await baseOf(shelf, kept)).map((name) => packPath(shelf.paths, name));
  const draft = await shelf.newDraftFolder();
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
    const done = await shelf.exclusively(options.signal, () => adopt(shelf, id, target, names));
    // A pack that it was made against went with its checkpoint meanwhile.
    if (!done) await packOne(shelf, await shelf.get(id), options);
  } catch (error) {
    throw explainWrite(error, shelf.paths.folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Answers whether all packs that it needs are there still. Under the lock only. */
async function adopt(shelf: Shelf, id: string, file: string, needs: readonly string[]): Promise<boolean> {
  const kept = await shelf.get(id);
  if (kept.packed) return true;
  if (!needs.every((name) => existsSync(packPath(shelf.paths, name)))) return false;
  const pack = newPackId();
  await rename(file, packPath(shelf.paths, pack));
  await writeSealed(kept.paths.packed, { pack, needs });
  return true;
}

/** Packs that hold pages of the parent. */
async function baseOf(shelf: Shelf, { meta }: Kept): Promise<string[]> {
  const parent = meta.parent === null ? null : await shelf.get(meta.parent).catch(() => null);
  return parent?.packed ? [parent.packed.pack, ...parent.packed.needs] : [];
}

/**
 * Makes sure that a raw checkpoint is what was dumped: reads the files that were touched or lived through a boot, or all
 * of them. Errors: `checkpoint-damaged`.
 */
export async function checkRaw(
  { paths, sums }: Kept,
  options: PackOptions,
  which: 'doubtful' | 'all' = 'doubtful',
): Promise<void> {
  if (!sums) return;
  const boot = await bootId();
  const doubtful = suspects(paths.raw, sums, boot);
  const files = which === 'all' && isSettled(sums) ? Object.keys(sums.files) : doubtful;
  if (files.length > 0) await work({ kind: 'check', raw: paths.raw, sums, paths: files }, options);
  if (doubtful.length > 0) await writeSealed(join(paths.raw, sumsName), restamped(paths.raw, sums, boot));
}

/** Removes the raw form of a checkpoint that has a pack and is not in use. Answers whether it did. */
export async function cool(shelf: Shelf, id: string, signal: AbortSignal): Promise<boolean> {
  const trash = await shelf.exclusively(signal, async () => {
    const { packed } = await shelf.get(id);
    const paths = checkpointPaths(shelf.paths, id);
    return packed && !(await isHeld(paths)) ? shelf.toTrash(paths.raw) : null;
  });
  if (trash === null) return false;
  await rm(trash, { recursive: true, force: true });
  return true;
}
