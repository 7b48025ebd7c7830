import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { readBootId } from '../../lib/index.ts';
import {
  buildCheckpointPaths,
  locateCheckpointFiles,
  locatePack,
  newCheckpointId,
  newPackId,
  sealValue,
  writeSealed,
} from './checkpoint-files.ts';
import type { CheckpointJob, CheckpointJobResult } from './checkpoint-jobs.ts';
import type { WorkerAnswer, WorkerInput } from './checkpoint-worker.ts';
import { checksumsName, findSuspectFiles, isFlushed, restampFiles } from './checksums.ts';
import { explainWriteError, newJobStop, stopJob } from './store-failures.ts';
import { isCheckpointHeld, type StoredCheckpoint, type StoreFiles } from './store-files.ts';

interface PackOptions {
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
  const flushed = await runJobInThread({ kind: 'flush', raw: paths.raw, sums }, options);
  await files.exclusively(options.signal, async () => {
    if ((await files.get(kept.id)).sums) await writeSealed(join(paths.raw, checksumsName), flushed);
  });
}

/**
 * Gives a checkpoint a pack, and before it all its ancestors that have none: they hold most of its pages. The raw ones
 * stay. Errors: `checkpoint-damaged`, `disk-full`, `no-such-checkpoint`.
 */
export async function packCheckpoint(files: StoreFiles, id: string, options: PackOptions): Promise<void> {
  for (const one of await listUnpackedLineage(files, id)) {
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
async function listUnpackedLineage(files: StoreFiles, id: string): Promise<string[]> {
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
  await verifyRaw(kept, options, 'all');
  const base = (await listBasePacks(files, kept)).map((name) => locatePack(files.paths, name));
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
    const { needs } = await runJobInThread(job, options);
    const names = needs.map(({ pack }) => pack);
    const done = await files.exclusively(options.signal, () => adoptPack(files, id, target, names));
    // A pack that it was made against was removed with its checkpoint meanwhile.
    if (!done) await packOne(files, await files.get(id), options);
  } catch (error) {
    throw explainWriteError(error, files.paths.folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Returns whether all packs that it needs still exist. Under the lock only. */
async function adoptPack(
  files: StoreFiles,
  id: string,
  file: string,
  needs: readonly string[],
): Promise<boolean> {
  const kept = await files.get(id);
  if (kept.packed) return true;
  if (!needs.every((name) => existsSync(locatePack(files.paths, name)))) return false;
  const pack = newPackId();
  await rename(file, locatePack(files.paths, pack));
  await writeSealed(kept.paths.packed, { pack, needs });
  return true;
}

/** Packs that hold pages of the parent. */
async function listBasePacks(files: StoreFiles, { meta }: StoredCheckpoint): Promise<string[]> {
  const parent = meta.parent === null ? null : await files.get(meta.parent).catch(() => null);
  return parent?.packed ? [parent.packed.pack, ...parent.packed.needs] : [];
}

/**
 * Makes sure that a raw checkpoint is what was dumped: reads the files that were touched or are from an earlier boot,
 * or all of them. Errors: `checkpoint-damaged`.
 */
async function verifyRaw(
  { paths, sums }: StoredCheckpoint,
  options: PackOptions,
  which: 'doubtful' | 'all' = 'doubtful',
): Promise<void> {
  if (!sums) return;
  const boot = await readBootId();
  const doubtful = findSuspectFiles(paths.raw, sums, boot);
  const files = which === 'all' && isFlushed(sums) ? Object.keys(sums.files) : doubtful;
  if (files.length > 0) await runJobInThread({ kind: 'check', raw: paths.raw, sums, paths: files }, options);
  if (doubtful.length > 0)
    await writeSealed(join(paths.raw, checksumsName), restampFiles(paths.raw, sums, boot));
}

/** Removes the raw form of a checkpoint that has a pack and is not in use. Returns whether it did. */
export async function removeRawForm(files: StoreFiles, id: string, signal: AbortSignal): Promise<boolean> {
  const trash = await files.exclusively(signal, async () => {
    const { packed } = await files.get(id);
    const paths = buildCheckpointPaths(files.paths, id);
    return packed && !(await isCheckpointHeld(paths)) ? files.toTrash(paths.raw) : null;
  });
  if (trash === null) return false;
  await rm(trash, { recursive: true, force: true });
  return true;
}

/**
 * Makes sure that a checkpoint that this process holds is there raw, as it was dumped. One that is damaged is made
 * again where it has a pack. Errors: `checkpoint-damaged`, `disk-full`.
 */
export async function ensureRaw(
  files: StoreFiles,
  kept: StoredCheckpoint,
  signal: AbortSignal,
): Promise<void> {
  if (kept.sums) {
    try {
      await verifyRaw(kept, { idle: false, signal });
      return;
    } catch (error) {
      const again = kept.packed && error instanceof PwpError && error.code === 'checkpoint-damaged';
      if (!again) throw error;
    }
  }
  await unpackBeside(files, kept, signal);
}

async function unpackBeside(
  files: StoreFiles,
  { id, paths, packed }: StoredCheckpoint,
  signal: AbortSignal,
): Promise<void> {
  if (!packed) return;
  const draft = await files.newDraftFolder();
  const raw = join(draft, 'raw');
  try {
    await mkdir(draft, { mode: 0o700 });
    const packs = [packed.pack, ...packed.needs].map((name) => locatePack(files.paths, name));
    await runJobInThread({ kind: 'unpack', raw, packs, bootId: await readBootId() }, { idle: false, signal });
    const trash = await files.exclusively(signal, async () => {
      const { sums } = await files.get(id);
      // Another process was faster, and its result is sound: it may be reading it.
      if (sums && (await isRawSound(files, id, signal))) return null;
      const old = existsSync(paths.raw) ? await files.toTrash(paths.raw) : null;
      await rename(raw, paths.raw);
      return old;
    });
    if (trash !== null) await rm(trash, { recursive: true, force: true });
  } catch (error) {
    throw explainWriteError(error, files.paths.folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function isRawSound(files: StoreFiles, id: string, signal: AbortSignal): Promise<boolean> {
  return verifyRaw(await files.get(id), { idle: false, signal }).then(
    () => true,
    () => false,
  );
}

/** Writes a checkpoint that is held raw as one file that needs no other: whole, or not at all. */
export async function writeCheckpointExport(
  kept: StoredCheckpoint,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const part = `${target}.${randomBytes(4).toString('hex')}.part`;
  const { id, meta, paths } = kept;
  try {
    const job = {
      kind: 'pack',
      raw: paths.raw,
      target: part,
      scratch: `${part}.tar`,
      id,
      meta,
      base: [],
    } as const;
    await runJobInThread(job, { idle: false, signal });
    await rename(part, target);
  } catch (error) {
    throw explainWriteError(error, dirname(target));
  } finally {
    await rm(part, { force: true });
    await rm(`${part}.tar`, { force: true });
  }
}

/**
 * Imports a file that {@link writeCheckpointExport} wrote. Returns the id: the one that it had, unless another checkpoint has it
 * here. Errors: `no-such-file`, `checkpoint-damaged`, `checkpoint-other-format`, `disk-full`.
 */
export async function readCheckpointExport(
  files: StoreFiles,
  source: string,
  signal: AbortSignal,
): Promise<string> {
  if (!existsSync(source)) throw new PwpError('no-such-file', `${source} does not exist`);
  const draft = locateCheckpointFiles(await files.newDraftFolder());
  const file = join(draft.folder, 'import');
  try {
    await mkdir(draft.folder, { mode: 0o700 });
    const { id, meta } = await runJobInThread(
      { kind: 'import', source, target: file },
      { idle: false, signal },
    );
    const pack = newPackId();
    await writeFile(draft.meta, sealValue(meta), { mode: 0o600, flush: true });
    await writeFile(draft.used, '', { mode: 0o600 });
    await writeFile(draft.packed, sealValue({ pack, needs: [] }), { mode: 0o600, flush: true });
    return await files.exclusively(signal, async () => {
      const known = await files.get(id).catch(() => null);
      if (known && sealValue(known.meta) === sealValue(meta)) return id;
      const free = existsSync(buildCheckpointPaths(files.paths, id).folder) ? newCheckpointId() : id;
      await rename(file, locatePack(files.paths, pack));
      await rename(draft.folder, buildCheckpointPaths(files.paths, free).folder);
      return free;
    });
  } catch (error) {
    throw explainWriteError(error, files.paths.folder);
  } finally {
    await rm(draft.folder, { recursive: true, force: true });
  }
}

/**
 * Does a job in a thread of its own, which has ended by then. Errors: those of the job, or the signal's reason, as soon
 * as the piece of work at hand is done.
 */
async function runJobInThread<J extends CheckpointJob>(
  job: J,
  options: { readonly idle: boolean; readonly signal: AbortSignal },
): Promise<CheckpointJobResult<J>> {
  options.signal.throwIfAborted();
  const input: WorkerInput = { job, idle: options.idle, stop: newJobStop() };
  const worker = new Worker(locateWorker(), { workerData: input, execArgv: [] });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  try {
    const answer = await raceSignal(awaitWorkerAnswer(worker), options.signal);
    if (answer.ok) return answer.value as CheckpointJobResult<J>;
    throw new PwpError(answer.code, answer.message, answer.help === undefined ? {} : { help: answer.help });
  } finally {
    stopJob(input.stop);
    await ended;
  }
}

function awaitWorkerAnswer(worker: Worker): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new PwpError('job-failed', `the thread of a checkpoint's job ended with code ${code}`)),
    );
  });
}

/** Beside this file in the source; beside the bundle that this file became a part of. */
function locateWorker(): URL {
  const inSource = import.meta.url.endsWith('.ts');
  return new URL(inSource ? './checkpoint-worker.ts' : './checkpoint-worker.js', import.meta.url);
}
