import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deadline, raceSignal } from '../../../bridge/lib/index.ts';
import {
  createNetworkNamespace,
  deleteContainer,
  mountOverlay,
  removeCgroups,
  restoreContainer,
  resumeContainer,
  runHostCommand,
  type SandboxPaths,
  type SandboxRecord,
  unmountBelow,
} from '../container/index.ts';
import { explainCriuFailure } from './checkpoint-problems.ts';
import { type CheckpointParts, restoreTree, skipPids } from './dump.ts';

/** A restore takes seconds even on a busy machine; one that hangs would hang forever. In milliseconds. */
const restoreMs = 90_000;
/** Time for the kernel to end all processes of a sandbox and release its file system, in milliseconds. */
const endMs = 30_000;

/** Ends all processes of a sandbox and takes its root and what it has written away; its network stays. */
export async function takeSandboxDown(id: string, paths: SandboxPaths): Promise<void> {
  using limit = deadline(`the end of sandbox ${id}`, endMs);
  await resumeContainer(id).catch(() => undefined);
  await removeCgroups(id, limit.signal);
  await deleteContainer(id);
  // First, or the kernel would write data at the unmounting that is never going to be read.
  await runHostCommand('rm', ['-rf', paths.upper]);
  await unmountBelow(paths.merged, limit.signal);
}

/**
 * Replaces the network namespace of a sandbox that was taken down. In the old one the kernel still remembers the
 * connections that have just ended there, for a minute; those of the checkpoint have the same addresses.
 */
export async function renewNetwork(paths: SandboxPaths, signal: AbortSignal): Promise<void> {
  await unmountBelow(paths.netns, signal);
  await rm(paths.netns, { force: true });
  await createNetworkNamespace(paths.netns, signal);
}

/** Puts the files of a checkpoint in the place of those of a sandbox that was taken down, and mounts its root. */
export async function restoreFiles(
  paths: SandboxPaths,
  record: Pick<SandboxRecord, 'layers' | 'root'>,
  parts: CheckpointParts,
  signal: AbortSignal,
): Promise<void> {
  await rm(paths.work, { recursive: true, force: true });
  await mkdir(paths.work, { mode: 0o700 });
  await Promise.all([
    restoreTree(parts.upper, paths.upper, signal).then(() => mountOverlay(record, paths, signal)),
    refillFolder(paths.shared, parts.shared, signal),
    existsSync(paths.desk) ? refillFolder(paths.desk, parts.desk, signal) : undefined,
  ]);
}

/** The folder itself stays: it is mounted. */
async function refillFolder(folder: string, from: string, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
  await runHostCommand('cp', ['-a', `${from}/.`, folder], { signal });
}

/**
 * Resumes the processes of a checkpoint in a sandbox whose files are restored. Errors: `restore-failed`, `disk-full`.
 */
export async function resumeProcesses(
  id: string,
  paths: SandboxPaths,
  parts: CheckpointParts,
  criuFolder: string,
): Promise<void> {
  await mkdir(paths.criuWork, { recursive: true, mode: 0o700 });
  try {
    const { images } = parts;
    const restored = restoreContainer(id, paths.bundle, { criuFolder, images, work: paths.criuWork });
    await skipPids(await endWhenLate(id, restored), parts);
  } catch (cause) {
    throw await explainCriuFailure(
      join(paths.criuWork, 'restore.log'),
      cause,
      'restore-failed',
      parts.images,
    );
  }
}

/** CRIU gives up when the processes that it is making are ended. Errors: `timeout`. */
async function endWhenLate<T>(id: string, restored: Promise<T>): Promise<T> {
  using limit = deadline(`the restore of sandbox ${id}`, restoreMs);
  try {
    return await raceSignal(restored, limit.signal);
  } catch (error) {
    if (limit.signal.aborted) {
      using end = deadline(`the end of sandbox ${id}`, endMs);
      await removeCgroups(id, end.signal);
      await raceSignal(restored, end.signal).catch(() => undefined);
    }
    throw error;
  }
}
