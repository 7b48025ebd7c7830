import { mkdir, rm } from 'node:fs/promises';
import { PwpError, deadline } from '../../../bridge/lib/index.ts';
import type { SandboxSpec } from '../node.ts';
import { writeBundle } from './bundle.ts';
import { removeCgroups } from './cgroup.ts';
import { copyFolders } from './copy.ts';
import { openNetwork, type ExitFor, type SandboxNetwork } from './network/index.ts';
import { createNetwork, mountOverlay, mountShared, unmountBelow } from './mounts.ts';
import type { SandboxPaths } from './paths.ts';
import { createRecord, findRecord, pathsOf, writeRecord, type SandboxRecord } from './record.ts';
import { deleteContainer, resumeContainer, runDetached, stateOf } from './runc.ts';
import { unpackSeed } from './seed.ts';
import { flushVolume, mountVolume, requireRoom } from './volume.ts';

/** Time to end and remove a sandbox, in milliseconds; it is the kernel's work. */
const destroyMs = 60_000;

/** A sandbox that runs, and its way out where it has one. */
export interface MadeSandbox {
  readonly record: SandboxRecord;
  readonly network: SandboxNetwork | undefined;
}

/**
 * Makes a sandbox and starts it; whatever fails midway is undone.
 * @param exitFor its way out, where it has one
 */
export async function makeSandbox(
  record: SandboxRecord,
  spec: SandboxSpec,
  layers: readonly string[],
  exitFor: ExitFor,
  signal: AbortSignal,
): Promise<MadeSandbox> {
  const paths = pathsOf(record);
  await createRecord(record);
  let network: SandboxNetwork | undefined;
  try {
    await prepare(paths, layers, spec.limits.diskMb, signal);
    if (spec.copy)
      await copyFolders(await frozenRoot(spec.copy.from, signal), paths.merged, spec.copy.paths, signal);
    for (const seed of spec.seeds) await unpackSeed(paths.merged, seed, signal);
    await writeBundle(record.id, spec, paths);
    network = await openNetwork(spec.network, paths.netns, exitFor, signal);
    await runDetached(record.id, paths.bundle, paths.runcLog, signal);
    const running: SandboxRecord = { ...record, phase: 'running' };
    await writeRecord(running);
    signal.throwIfAborted();
    return { record: running, network };
  } catch (error) {
    await network?.[Symbol.asyncDispose]();
    await destroySandbox(record.id, paths);
    throw error;
  }
}

async function prepare(
  paths: SandboxPaths,
  layers: readonly string[],
  diskMb: number,
  signal: AbortSignal,
): Promise<void> {
  await requireRoom(paths, diskMb);
  await mkdir(paths.disk, { recursive: true, mode: 0o700 });
  await mountVolume(paths, diskMb, signal);
  // The upper folder's mode becomes the mode of the sandbox's root.
  await mkdir(paths.upper, { mode: 0o755 });
  for (const folder of [paths.work, paths.merged, paths.shared, paths.x11])
    await mkdir(folder, { mode: 0o700 });
  await mountOverlay(layers, paths, signal);
  await mountShared(paths, signal);
  await createNetwork(paths.netns, signal);
}

async function frozenRoot(id: string, signal: AbortSignal): Promise<string> {
  const paths = pathsOf(await findRecord(id));
  if ((await stateOf(id))?.status !== 'paused')
    throw new PwpError('not-frozen', `sandbox ${id} must be frozen while folders are copied from it`);
  // What did not reach the disk would be missing in the copy, and nobody would know why.
  await flushVolume(paths, signal);
  return paths.merged;
}

/**
 * Ends all processes of a sandbox and removes everything it has on this machine, the record last. Whole, half-made and
 * half-removed ones alike; several at once don't disturb each other.
 */
export async function destroySandbox(id: string, paths: SandboxPaths): Promise<void> {
  using limit = deadline(`removal of sandbox ${id}`, destroyMs);
  // Frozen processes can't end. A container that runc doesn't know, or only half, has nothing to resume.
  await resumeContainer(id).catch(() => undefined);
  // Not left to runc: it waits until this machine's first process has buried the container's, and it knows nothing of
  // what died in the making.
  await removeCgroups(id, limit.signal);
  await deleteContainer(id);
  await unmountBelow(paths.disk, limit.signal);
  await unmountBelow(paths.run, limit.signal);
  await rm(paths.disk, { recursive: true, force: true });
  await rm(paths.run, { recursive: true, force: true });
}
