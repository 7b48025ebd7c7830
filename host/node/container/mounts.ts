import { chown, mkdir, open, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, poll, PwpError } from '../../../bridge/lib/index.ts';
import { listMountPoints } from '../../lib/index.ts';
import type { Display } from '../sandbox-spec.ts';
import { runHostCommand } from './command.ts';
import { desktopUser } from './container-processes.ts';
import type { SandboxPaths } from './sandbox-record.ts';

const bytesPerPixel = 4;
/** Processes that can look at one screen at a time. */
const mostWatchers = 8;

/** Mounts the sandbox's file system: the image below, the sandbox's own writes above. */
export async function mountOverlay(
  layers: readonly string[],
  paths: SandboxPaths,
  signal: AbortSignal,
): Promise<void> {
  for (const path of [...layers, paths.disk]) refuseSeparators(path);
  const options = [
    `lowerdir=${layers.join(':')}`,
    `upperdir=${paths.upper}`,
    `workdir=${paths.work}`,
    // Each file of the upper folder is whole by itself, so that copying that folder copies the sandbox.
    'index=off,metacopy=off,redirect_dir=off',
    // One device number for all files, as watches have it: by number alone CRIU finds the path of a watched file.
    'xino=on',
  ];
  try {
    await runHostCommand('mount', ['-t', 'overlay', 'pwp', '-o', options.join(','), paths.merged], {
      signal,
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('mount-failed', `can't mount the file system of a sandbox: ${describeError(cause)}`, {
      help: 'The cache folder (PWP_HOME) must be on a local disk, not on an overlay, as the root of a container is.',
      cause,
    });
  }
}

/** Mounts the image alone, read-only. */
async function mountImage(layers: readonly string[], folder: string, signal: AbortSignal): Promise<void> {
  for (const path of layers) refuseSeparators(path);
  const options = `ro,lowerdir=${layers.join(':')},index=off,metacopy=off,redirect_dir=off,xino=on`;
  await runHostCommand('mount', ['-t', 'overlay', 'pwp', '-o', options, folder], { signal });
}

/**
 * Mounts the folder of the memory that the X server shares with this machine's processes. What holds it can make it
 * grow, so it is a small file system too.
 */
export async function mountScreen(
  paths: SandboxPaths,
  { width, height }: Display,
  signal: AbortSignal,
): Promise<void> {
  const pixels = width * height * bytesPerPixel;
  await mountTmpfs(paths.screen, `size=${pixels * mostWatchers},mode=700`, signal);
}

/**
 * Mounts the folder that host and agent share. It is a small file system of its own, so that the sandbox can't fill the
 * host's; the host follows no symbolic links in it, so that a socket there can't be replaced by a link.
 */
export async function mountShared(paths: SandboxPaths, signal: AbortSignal): Promise<void> {
  await mountTmpfs(paths.shared, 'size=64m,mode=755', signal);
}

async function mountTmpfs(path: string, options: string, signal: AbortSignal): Promise<void> {
  await runHostCommand(
    'mount',
    ['-t', 'tmpfs', 'pwp', '-o', `nosuid,nodev,noexec,nosymfollow,${options}`, path],
    {
      signal,
    },
  );
}

/** Makes a network namespace with nothing but a working loopback, and mounts it on the file `path`. */
export async function createNetworkNamespace(path: string, signal: AbortSignal): Promise<void> {
  await (await open(path, 'wx', 0o600)).close();
  await runHostCommand('unshare', [`--net=${path}`, 'ip', 'link', 'set', 'lo', 'up'], { signal });
}

/** Unmounts all that is mounted at or below a folder, the newest first; a no-op where nothing is. */
export async function unmountBelow(folder: string, signal: AbortSignal): Promise<void> {
  const probe = async () => {
    const points = await listMountPoints(folder);
    if (points.length === 0) return { done: true, value: undefined } as const;
    let saw = '';
    // The kernel releases a file system a moment after its last process; until then it is busy.
    for (const point of points)
      await runHostCommand('umount', [point], { signal }).catch((e) => (saw += describeError(e)));
    return { done: false, saw } as const;
  };
  await poll(`unmounting ${folder}`, probe, { intervalMs: 20, signal });
}

function refuseSeparators(path: string): void {
  if (!/[,:\\]/.test(path)) return;
  throw new PwpError(
    'bad-setting',
    `${path} has a comma, a colon or a backslash in it, which mount options can't hold`,
    {
      help: 'Choose another cache folder with PWP_HOME.',
    },
  );
}

/**
 * Hidden where it exists, so that nothing that the agent wrote is loaded into the first process of a sandbox that is
 * restored from its files.
 */
export const deskMask = '/etc/ld.so.preload';

const deskDevices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
const bindOptions = ['bind', 'rw', 'nosuid'];

/**
 * Where the desktop lives inside. Its programs have the image as their root, read-only, so that they load nothing that
 * the agent could have written. /desk is the same in both roots, and only its own user can enter it.
 */
export function deskMounts(paths: SandboxPaths) {
  const root = '/desk/root';
  const sealed = ['noexec', 'nodev'];
  return [
    { destination: '/desk', type: 'bind', source: paths.desk, options: [...bindOptions, 'nodev'] },
    {
      destination: root,
      type: 'bind',
      source: paths.deskRoot,
      options: ['bind', 'ro', 'nosuid', 'nodev'],
    },
    { destination: `${root}/proc`, type: 'proc', source: 'proc', options: ['nosuid', 'ro', ...sealed] },
    { destination: `${root}/dev`, ...bindMount(join(paths.desk, 'dev'), ['noexec']) },
    { destination: `${root}/tmp`, ...bindMount(join(paths.desk, 'tmp'), sealed) },
    { destination: `${root}/run/pwp`, ...bindMount(paths.shared, sealed) },
    { destination: `${root}/desk`, ...bindMount(paths.desk, sealed) },
    // On the disk that the agent has, but covered there, so that it can't be replaced either.
    { destination: `${root}/desk/profile`, ...bindMount(paths.profile, sealed) },
    { destination: '/desk-profile', ...bindMount(paths.desk, sealed) },
  ];
}

function bindMount(source: string, more: readonly string[]) {
  return { type: 'bind', source, options: [...bindOptions, ...more] };
}

/** Mounts the desktop's own folders, beside the agent's file system. */
export async function mountDesk(
  layers: readonly string[],
  paths: SandboxPaths,
  signal: AbortSignal,
): Promise<void> {
  for (const folder of [paths.desk, paths.deskRoot]) await mkdir(folder, { mode: 0o700 });
  const place = `size=1g,mode=700,uid=${desktopUser},gid=${desktopUser}`;
  const mounted = [mountTmpfs(paths.desk, place, signal), mountImage(layers, paths.deskRoot, signal)];
  for (const part of await Promise.allSettled(mounted)) if (part.status === 'rejected') throw part.reason;
  await fillDesk(paths);
}

/** Makes what is in the empty folder of a desktop before it starts. */
export async function fillDesk({ desk }: SandboxPaths): Promise<void> {
  for (const name of ['dev', 'dev/shm', 'tmp', 'log', 'root', 'profile']) {
    await mkdir(join(desk, name), { mode: 0o755 });
    await chown(join(desk, name), desktopUser, desktopUser);
  }
  await runHostCommand('cp', ['-a', ...deskDevices, join(desk, 'dev')]);
  // Where programs look for the display that they know by number alone.
  await symlink('/desk', join(desk, 'tmp/.X11-unix'));
}
