import { mkdir, rm } from 'node:fs/promises';
import { PwpError, deadline } from '../../../bridge/lib/index.ts';
import type { SandboxSpec } from '../spec.ts';
import { writeBundle } from './bundle.ts';
import { removeCgroups } from './cgroup.ts';
import { copyFolders } from './copy.ts';
import type { EgressFor, SandboxNetwork } from '../network/index.ts';
import { explainDamage } from './image/index.ts';
import { createNetwork, mountOverlay, mountScreen, mountShared, unmountBelow } from './mounts.ts';
import type { SandboxPaths } from './paths.ts';
import { createRecord, findRecord, pathsOf, writeRecord, type SandboxRecord } from './record.ts';
import { deleteContainer, resumeContainer, runDetached, stateOf } from './runc.ts';
import { mountDesk } from './desk.ts';
import { unpackSeed } from './seed.ts';
import { flushVolume, mountVolume, requireRoom } from './volume.ts';
import { openEgress } from './egress.ts';

/** Time to end and remove a sandbox, in milliseconds; it is the kernel's work. */
const destroyMs = 60_000;

/** A sandbox that runs, and its way out where it has one. */
export interface MadeSandbox {
  readonly record: SandboxRecord;
  readonly network: SandboxNetwork | undefined;
}

/** How one sandbox is made, beside what all have in common. */
export interface Making {
  readonly spec: Pick<SandboxSpec, 'role' | 'display' | 'limits' | 'network'>;
  /** Its way out, where it has one. */
  readonly egressFor: EgressFor;
  /** Mounts its root and fills it. */
  readonly fill: (paths: SandboxPaths, signal: AbortSignal) => Promise<void>;
  /** Lets its processes run. */
  readonly start: (paths: SandboxPaths, signal: AbortSignal) => Promise<void>;
}

/** Makes a sandbox and starts it; if a step fails, all of it is undone. */
export async function makeSandbox(
  record: SandboxRecord,
  making: Making,
  signal: AbortSignal,
): Promise<MadeSandbox> {
  const { spec, egressFor } = making;
  const paths = pathsOf(record);
  await createRecord(record);
  let network: SandboxNetwork | undefined;
  try {
    await prepare(paths, spec, signal);
    if (spec.role === 'ide') await mountDesk(record.layers, paths, signal);
    await making.fill(paths, signal);
    await writeBundle(record.id, spec, paths);
    network = await openEgress(spec.network, paths.netns, egressFor, signal);
    await making.start(paths, signal);
    const running: SandboxRecord = { ...record, phase: 'running' };
    await writeRecord(running);
    signal.throwIfAborted();
    return { record: running, network };
  } catch (error) {
    await network?.[Symbol.asyncDispose]();
    await destroySandbox(record.id, paths);
    throw signal.aborted ? error : await explainDamage(record.layers, error);
  }
}

/** From the image alone, with the additions of the spec. */
export function fromImage(record: SandboxRecord, spec: SandboxSpec, egressFor: EgressFor): Making {
  return {
    spec,
    egressFor,
    fill: async (paths, signal) => {
      // The upper folder's mode becomes the mode of the sandbox's root.
      await mkdir(paths.upper, { mode: 0o755 });
      await mkdir(paths.work, { mode: 0o700 });
      await mountOverlay(record.layers, paths, signal);
      const { copy } = spec;
      if (copy && copy.paths.length > 0)
        await copyFolders(await frozenRoot(copy.from, signal), paths.merged, copy, signal);
      for (const seed of spec.seeds) await unpackSeed(paths.merged, seed, signal);
    },
    start: (paths, signal) => runDetached(record.id, paths.bundle, paths.runcLog, signal),
  };
}

async function prepare(paths: SandboxPaths, spec: Making['spec'], signal: AbortSignal): Promise<void> {
  const { diskMb } = spec.limits;
  await requireRoom(paths, diskMb);
  await mkdir(paths.disk, { recursive: true, mode: 0o700 });
  for (const folder of [paths.merged, paths.shared, paths.screen]) await mkdir(folder, { mode: 0o700 });
  const parts = [
    mountVolume(paths, diskMb, signal),
    mountShared(paths, signal),
    mountScreen(paths, spec.display, signal),
    createNetwork(paths.netns, signal),
  ];
  // Nothing must still be starting when all this is undone.
  for (const part of await Promise.allSettled(parts)) if (part.status === 'rejected') throw part.reason;
}

async function frozenRoot(id: string, signal: AbortSignal): Promise<string> {
  const paths = pathsOf(await findRecord(id));
  const status = (await stateOf(id))?.status;
  // In one that has ended nothing runs any more.
  if (status !== 'paused' && status !== 'stopped')
    throw new PwpError(
      'not-frozen',
      `sandbox ${id} must be frozen, or have ended, while folders are copied from it`,
    );
  // Files that did not reach the disk would be missing in the copy, without any error.
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
  // A person's page in another process may give control back just now, and write who may act.
  await rm(paths.run, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}
