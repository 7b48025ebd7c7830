import { constants } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deadline, PwpError } from '../../../bridge/lib/index.ts';
import { Gallery, galleryPort, readGalleryPackages } from '../gallery/index.ts';
import {
  type EgressFactory,
  listenForEgress,
  openSandboxNetwork,
  type SandboxNetwork,
} from '../network/index.ts';
import type { NetworkPolicy, SandboxSpec } from '../sandbox-spec.ts';
import { writeBundle } from './bundle.ts';
import { removeCgroups } from './cgroup.ts';
import {
  createNetworkNamespace,
  makeUpper,
  mountDesk,
  mountImage,
  mountOverlay,
  mountScreen,
  mountShared,
  unmountBelow,
} from './mounts.ts';
import { makeFolderInside } from './files-inside.ts';
import { findOwner, makeOwnFolders } from './owners.ts';
import { copyFolders, copyUpper, unpackSeed } from './root-contents.ts';
import { deleteContainer, readContainerState, resumeContainer, startRuncContainer } from './runc.ts';
import {
  createSandboxRecord,
  findSandboxRecord,
  resolveSandboxPaths,
  type SandboxPaths,
  type SandboxRecord,
  writeSandboxRecord,
} from './sandbox-record.ts';
import { explainImageDamage } from './start-failure.ts';
import { flushVolume, mountVolume, requireDiskRoom } from './volume.ts';

/** Time to end and remove a sandbox, in milliseconds; it is the kernel's work. */
const destroyMs = 60_000;

/** A sandbox that runs, and its way out where it has one. */
interface CreatedSandbox {
  readonly record: SandboxRecord;
  readonly network: SandboxNetwork | undefined;
}

/** How one sandbox is made, beside what all have in common. */
export interface SandboxPlan {
  /** Its way out, where it has one. */
  readonly egressFor: EgressFactory;
  /** Mounts its root and fills it. */
  readonly fill: (paths: SandboxPaths, signal: AbortSignal) => Promise<void>;
  /** Lets its processes run. */
  readonly start: (paths: SandboxPaths, signal: AbortSignal) => Promise<void>;
}

/** Makes a sandbox and starts it; if a step fails, all of it is undone. */
export async function createSandbox(
  record: SandboxRecord,
  making: SandboxPlan,
  signal: AbortSignal,
): Promise<CreatedSandbox> {
  const paths = resolveSandboxPaths(record);
  await createSandboxRecord(record);
  let network: SandboxNetwork | undefined;
  try {
    await prepareFileSystem(record, paths, signal);
    await making.fill(paths, signal);
    await writeBundle(record, paths);
    network = await openEgress(record.network, paths.netns, making.egressFor, signal);
    await making.start(paths, signal);
    const running: SandboxRecord = { ...record, phase: 'running' };
    await writeSandboxRecord(running);
    signal.throwIfAborted();
    return { record: running, network };
  } catch (error) {
    await network?.[Symbol.asyncDispose]();
    await destroySandbox(record.id, paths);
    throw signal.aborted ? error : await explainImageDamage(record.layers, error);
  }
}

/** From the image alone, with the additions of the spec. */
export function planFromImage(
  record: SandboxRecord,
  spec: SandboxSpec,
  egressFor: EgressFactory,
): SandboxPlan {
  return {
    egressFor,
    fill: async (paths, signal) => {
      const { copy } = spec;
      const source = copy && copy.paths.length > 0 ? await findFrozenSandbox(copy.from, signal) : null;
      const isWhole = copy?.paths.includes('/') ?? false;
      if (source && isWhole) await copyWholeRoot(source, record, signal);
      await makeUpper(record, paths);
      await mountOverlay(record, paths, signal);
      // Buildah leaves out a WORKDIR that no file is in.
      if (record.root && !isWhole)
        await makeFolderInside(paths.merged, record.workspace, findOwner(record, record.workspace));
      if (copy && source && !isWhole)
        await copyFolders(resolveSandboxPaths(source).merged, paths.merged, copy, signal);
      if (record.role === 'ide') await addIdeFiles(record, paths);
      for (const seed of spec.seeds)
        await unpackSeed(paths.merged, seed, findOwner(record, seed.path), signal);
    },
    start: (paths, signal) => startRuncContainer(record.id, paths.bundle, paths.runcLog, signal),
  };
}

/** What an IDE needs of its root beside what all images have. */
async function addIdeFiles(record: SandboxRecord, paths: SandboxPaths): Promise<void> {
  await makeOwnFolders(record, paths);
  const [from, to] = [join(paths.imageRoot, gitSettings), join(paths.merged, gitSettings)];
  await copyFile(from, to, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** Of the whole system: an identity for commits, and the IDE as the editor of their messages. */
const gitSettings = 'etc/gitconfig';

async function prepareFileSystem(
  record: SandboxRecord,
  paths: SandboxPaths,
  signal: AbortSignal,
): Promise<void> {
  const { diskMb } = record.limits;
  await requireDiskRoom(paths, diskMb);
  await mkdir(paths.disk, { recursive: true, mode: 0o700 });
  for (const folder of [paths.merged, paths.shared, paths.screen]) await mkdir(folder, { mode: 0o700 });
  const parts = [
    mountVolume(paths, diskMb, signal),
    mountShared(record, paths, signal),
    mountScreen(paths, record.display, signal),
    mountImage(record.layers, paths, signal),
    ...(record.role === 'ide' ? [mountDesk(paths, signal)] : []),
    createNetworkNamespace(paths.netns, signal),
  ];
  // Nothing must still be starting when all this is undone.
  for (const part of await Promise.allSettled(parts)) if (part.status === 'rejected') throw part.reason;
}

async function findFrozenSandbox(id: string, signal: AbortSignal): Promise<SandboxRecord> {
  const record = await findSandboxRecord(id);
  const status = (await readContainerState(id))?.status;
  // In one that has ended nothing runs any more.
  if (status !== 'paused' && status !== 'stopped')
    throw new PwpError(
      'not-frozen',
      `sandbox ${id} must be frozen, or have ended, while folders are copied from it`,
    );
  // Files that did not reach the disk would be missing in the copy, without any error.
  await flushVolume(resolveSandboxPaths(record), signal);
  return record;
}

/** What one image's root was changed to means nothing on another image. Errors: `unsupported`. */
async function copyWholeRoot(
  source: SandboxRecord,
  target: SandboxRecord,
  signal: AbortSignal,
): Promise<void> {
  if (source.image !== target.image)
    throw new PwpError('unsupported', `the root of ${source.id} can't be copied to one of another image`);
  await copyUpper(resolveSandboxPaths(source), resolveSandboxPaths(target), signal);
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

/**
 * Opens everything that a sandbox may reach on this side of the wall: its network and the extension gallery, each where
 * the policy has it. Undefined if it has neither. Errors: `bad-host`, `network-failed`.
 */
async function openEgress(
  policy: NetworkPolicy | undefined,
  netns: string,
  egressFor: EgressFactory,
  signal: AbortSignal,
): Promise<SandboxNetwork | undefined> {
  const network = await openSandboxNetwork(policy, netns, egressFor, signal);
  if (!policy?.gallery) return network;
  try {
    const gallery = await listenForEgress(netns, galleryPort, new Gallery(readGalleryPackages), signal);
    return network ? combineNetworks(network, gallery) : gallery;
  } catch (error) {
    await network?.[Symbol.asyncDispose]();
    throw error;
  }
}

/** The gallery is asked by the IDE alone, and refuses nothing. */
function combineNetworks(network: SandboxNetwork, gallery: SandboxNetwork): SandboxNetwork {
  return {
    onRefusal: (listener) => network.onRefusal(listener),
    hangUp: () => {
      network.hangUp();
      gallery.hangUp();
    },
    reopen: async (signal) => {
      await Promise.all([network.reopen(signal), gallery.reopen(signal)]);
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([network[Symbol.asyncDispose](), gallery[Symbol.asyncDispose]()]);
    },
  };
}
