import { chmod, mkdir, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import { readFreeBytes, readMountTable } from '../../lib/index.ts';
import { runHostCommand } from './command.ts';
import type { SandboxPaths } from './sandbox-record.ts';

const MiB = 1024 * 1024;
/** A file system counts as full when less than this is left: ext4 keeps a little for itself. In bytes. */
const fullBytes = MiB;
/** Bytes. An IDE writes half of this until it is ready; sparse disks ask for none of it, so nothing else checks. */
export const leastStartBytes = 512 * MiB;

/**
 * For a file system that never outlives its sandbox: no journal, no blocks kept back for root, tables written as they
 * are needed, so that it costs a few megabytes and milliseconds, regardless of its size.
 */
const formatOptions =
  '-q -F -m 0 -b 4096 -O ^has_journal -E lazy_itable_init=1,nodiscard,root_owner=0:0'.split(' ');

/**
 * Checks before anything is created whether the machine's disk has room for a sandbox to start. Errors: `disk-full`.
 */
export function requireDiskRoom(paths: SandboxPaths, diskMb: number): Promise<void> {
  return requireSpace(paths, Math.min(leastStartBytes, diskMb * MiB));
}

/**
 * Mounts what the sandbox writes to: a file system of its own on a sparse file, so that the kernel itself holds the
 * limit, on any file system below. The kernel frees the loop device with the mount, however that ends.
 */
export async function mountVolume(paths: SandboxPaths, diskMb: number, signal: AbortSignal): Promise<void> {
  await mkdir(paths.volume, { mode: 0o700 });
  await writeFile(paths.volumeFile, '', { mode: 0o600 });
  await truncate(paths.volumeFile, Math.round(diskMb * MiB));
  try {
    await runHostCommand('mkfs.ext4', [...formatOptions, paths.volumeFile], { signal });
    // Discard gives the space of removed files back to the machine.
    const options = 'loop,discard,noinit_itable,nosuid,nodev';
    await runHostCommand('mount', ['-t', 'ext4', '-o', options, paths.volumeFile, paths.volume], { signal });
    await rm(`${paths.volume}/lost+found`, { recursive: true });
    await chmod(paths.volume, 0o700);
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('disk-failed', `can't make the disk of a sandbox: ${describeError(cause)}`, {
      help: 'It is mounted from a file by a loop device: the machine needs free space and /dev/loop-control.',
      cause,
    });
  }
  await useDirectIo(paths.volume, signal);
}

/**
 * Writes out what the sandbox has written. Errors: `disk-full`, `disk-failed` where some of it could not be, now or
 * before: to the programs inside that looked like success.
 */
export async function flushVolume(paths: SandboxPaths, signal: AbortSignal): Promise<void> {
  try {
    await runHostCommand('sync', ['--file-system', paths.volume], { signal });
  } catch (cause) {
    signal.throwIfAborted();
    await requireSpace(paths, fullBytes);
    const text = `some of what a sandbox wrote did not reach the machine's disk: ${describeError(cause)}`;
    throw new PwpError('disk-failed', text, {
      help: 'The disk that PWP_HOME is on was full, or it is broken.',
      cause,
    });
  }
}

async function requireSpace(paths: SandboxPaths, needBytes: number): Promise<void> {
  const free = await readFreeBytes(dirname(paths.disk));
  if (free >= needBytes) return;
  const text = `the machine's disk has ${Math.floor(free / MiB)} MiB left at ${dirname(paths.disk)}`;
  throw new PwpError('disk-full', `${text}, a sandbox needs ${Math.ceil(needBytes / MiB)} MiB`, {
    help: 'Make room there, or choose another disk with PWP_HOME.',
  });
}

/** Used bytes of the sandbox's disk, and whether it or the machine's disk below it is full. */
export async function readVolumeUse(
  paths: SandboxPaths,
): Promise<{ usedBytes: number; limitBytes: number; full: boolean }> {
  const { blocks, bfree, bavail, bsize, files, ffree } = await statfs(paths.volume);
  // The sandbox's disk is a file on the machine's.
  const below = await readFreeBytes(dirname(paths.disk));
  const full = Math.min(bavail * bsize, below) < fullBytes || (files > 0 && ffree === 0);
  return { usedBytes: (blocks - bfree) * bsize, limitBytes: blocks * bsize, full };
}

/** Past the page cache of the file below, else each page is in memory twice. Where that can't be, it only costs memory. */
async function useDirectIo(volume: string, signal: AbortSignal): Promise<void> {
  const device = (await readMountTable()).find(({ point }) => point === volume)?.source;
  if (device) await runHostCommand('losetup', ['--direct-io=on', device], { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
