import { chmod, chown, copyFile, lstat, mkdir, open, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError, imageMountPoint, poll, PwpError } from '../../../bridge/lib/index.ts';
import { ignoreMissing, listMountPoints } from '../../lib/index.ts';
import type { Display } from '../sandbox-spec.ts';
import { runHostCommand } from './command.ts';
import { chooseUser, desktopUser } from './container-processes.ts';
import { nameLayers, refuseSeparators, requireOptionsFit } from './lower-layers.ts';
import type { SandboxPaths, SandboxRecord } from './sandbox-record.ts';

const bytesPerPixel = 4;
/** Processes that can look at one screen at a time. */
const mostWatchers = 8;

/** Folders that a root needs before anything is mounted on them, with their modes. */
const mountPoints: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    ['.pwp', 'proc', 'sys', 'dev', 'run', 'run/pwp', 'ide', 'etc'].map((name) => [name, 0o755]),
  ),
  tmp: 0o1777,
  desk: 0o700,
  'desk-profile': 0o700,
};

/**
 * Makes the upper folder of a sandbox, or completes one that was copied from another. What lies in it hides links and files
 * that an image has at such a place, so nothing is ever mounted elsewhere.
 */
export async function makeUpper(record: SandboxRecord, paths: SandboxPaths): Promise<void> {
  // Its mode becomes the mode of the sandbox's root.
  await mkdir(paths.upper, { recursive: true, mode: 0o755 });
  await mkdir(paths.work, { mode: 0o700 });
  for (const [name, mode] of Object.entries(mountPoints)) {
    const path = join(paths.upper, name);
    await makePlainFolder(path);
    await chmod(path, mode);
    if (name.startsWith('desk')) await chown(path, desktopUser, desktopUser);
  }
  const { uid, gid } = chooseUser(record);
  await chown(join(paths.upper, 'ide'), uid, gid);
  const { root } = record;
  if (!root) return;
  const [hosts, image] = ['etc/hosts', agentImageFile].map((name) => join(paths.upper, name));
  if (hosts === undefined || image === undefined) return;
  // The other sandbox's agent may have left links there.
  for (const path of [hosts, image]) await rm(path, { recursive: true, force: true });
  await copyFile(join(paths.imageRoot, 'etc/hosts'), hosts);
  await writeFile(image, JSON.stringify({ env: root.env, entrypoint: root.entrypoint ?? [] }));
}

/** What another sandbox's agent left in the place of a folder is never followed. */
async function makePlainFolder(path: string): Promise<void> {
  const info = await lstat(path).catch(ignoreMissing);
  if (info?.isDirectory()) return;
  await rm(path, { force: true });
  await mkdir(path);
}

/** How the agent's root wants its programs to be run; its side of the bridge reads it. */
const agentImageFile = 'ide/image.json';

/** Mounts the sandbox's file system: the agent's root below, the sandbox's own writes above. */
export async function mountOverlay(
  { layers: own, root }: Pick<SandboxRecord, 'layers' | 'root'>,
  paths: SandboxPaths,
  signal: AbortSignal,
): Promise<void> {
  refuseSeparators(paths.disk);
  const { cwd, lowerdir } = nameLayers(root?.layers ?? own);
  const options = [
    `lowerdir=${lowerdir}`,
    `upperdir=${paths.upper}`,
    `workdir=${paths.work}`,
    // Each file of the upper folder is whole by itself, so that copying that folder copies the sandbox.
    'index=off,metacopy=off,redirect_dir=off',
    // One device number for all files, as watches have it: by number alone CRIU finds the path of a watched file.
    'xino=on',
  ].join(',');
  requireOptionsFit(options);
  try {
    await runHostCommand('mount', ['-t', 'overlay', 'pwp', '-o', options, paths.merged], { signal, cwd });
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('mount-failed', `can't mount the file system of a sandbox: ${describeError(cause)}`, {
      help: 'The cache folder (PWP_HOME) must be on a local disk, not on an overlay, as the root of a container is.',
      cause,
    });
  }
}

/** Mounts our image alone, read-only. */
export async function mountImage(
  layers: readonly string[],
  { imageRoot }: SandboxPaths,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(imageRoot, { mode: 0o700 });
  const [only, ...others] = layers;
  // An overlay that no one writes to has two layers or more.
  if (only !== undefined && others.length === 0) {
    await runHostCommand('mount', ['-o', 'bind,ro', only, imageRoot], { signal });
    return;
  }
  const { cwd, lowerdir } = nameLayers(layers);
  const options = `ro,lowerdir=${lowerdir},index=off,metacopy=off,redirect_dir=off,xino=on`;
  requireOptionsFit(options);
  await runHostCommand('mount', ['-t', 'overlay', 'pwp', '-o', options, imageRoot], { signal, cwd });
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
export async function mountShared(
  record: SandboxRecord,
  paths: SandboxPaths,
  signal: AbortSignal,
): Promise<void> {
  const { uid, gid } = chooseUser(record);
  await mountTmpfs(paths.shared, `size=64m,mode=755,uid=${uid},gid=${gid}`, signal);
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

/**
 * Hidden where it exists: our programs would load what an image names there, or what the agent wrote, into the first
 * process of a sandbox that is restored from its files.
 */
export const preloadMask = '/etc/ld.so.preload';

const deskDevices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
const bindOptions = ['bind', 'rw', 'nosuid'];
const imageOptions = ['bind', 'ro', 'nosuid', 'nodev'];

/** Where the agent's side has our programs, in any root: the same files as the desktop's root. */
export function imageMount({ imageRoot }: SandboxPaths) {
  return { destination: imageMountPoint, type: 'bind', source: imageRoot, options: imageOptions };
}

/**
 * Where the desktop lives inside. Its programs have the image as their root, read-only, so that they load nothing that
 * the agent could have written. /desk is the same in both roots, and only its own user can enter it.
 */
export function deskMounts(paths: SandboxPaths) {
  const root = '/desk/root';
  const sealed = ['noexec', 'nodev'];
  return [
    { destination: '/desk', type: 'bind', source: paths.desk, options: [...bindOptions, 'nodev'] },
    { destination: root, type: 'bind', source: paths.imageRoot, options: imageOptions },
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
export async function mountDesk(paths: SandboxPaths, signal: AbortSignal): Promise<void> {
  await mkdir(paths.desk, { mode: 0o700 });
  await mountTmpfs(paths.desk, `size=1g,mode=700,uid=${desktopUser},gid=${desktopUser}`, signal);
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
