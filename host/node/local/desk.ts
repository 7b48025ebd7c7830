import { chown, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { mountImage, mountTmpfs } from './mounts.ts';
import type { SandboxPaths } from './paths.ts';
import { desktopUser } from './processes.ts';
import { run } from './run.ts';

/**
 * Hidden where it exists, so that nothing that the agent wrote is loaded into the first process of a sandbox that is
 * restored from its files.
 */
export const deskMask = '/etc/ld.so.preload';

const devices = ['null', 'zero', 'full', 'random', 'urandom'].map((name) => `/dev/${name}`);
const options = ['bind', 'rw', 'nosuid'];

/**
 * Where the desktop lives inside. Its programs have the image as their root, read-only, so that they load nothing that
 * the agent could have written. /desk is the same in both roots, and only its own user can enter it.
 */
export function deskMounts(paths: SandboxPaths) {
  const root = '/desk/root';
  const sealed = ['noexec', 'nodev'];
  return [
    { destination: '/desk', type: 'bind', source: paths.desk, options: [...options, 'nodev'] },
    {
      destination: root,
      type: 'bind',
      source: paths.deskRoot,
      options: ['bind', 'ro', 'nosuid', 'nodev'],
    },
    { destination: `${root}/proc`, type: 'proc', source: 'proc', options: ['nosuid', 'ro', ...sealed] },
    { destination: `${root}/dev`, ...bound(join(paths.desk, 'dev'), ['noexec']) },
    { destination: `${root}/tmp`, ...bound(join(paths.desk, 'tmp'), sealed) },
    { destination: `${root}/run/pwp`, ...bound(paths.shared, sealed) },
    { destination: `${root}/desk`, ...bound(paths.desk, sealed) },
    // On the disk that the agent has, but covered there, so that it can't be replaced either.
    { destination: `${root}/desk/profile`, ...bound(paths.profile, sealed) },
    { destination: '/desk-profile', ...bound(paths.desk, sealed) },
  ];
}

function bound(source: string, more: readonly string[]) {
  return { type: 'bind', source, options: [...options, ...more] };
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
  await run('cp', ['-a', ...devices, join(desk, 'dev')]);
  // Where programs look for the display that they know by number alone.
  await symlink('/desk', join(desk, 'tmp/.X11-unix'));
}
