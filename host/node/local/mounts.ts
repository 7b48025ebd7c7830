import { open, readFile } from 'node:fs/promises';
import { PwpError, messageOf, poll } from '../../../bridge/lib/index.ts';
import type { SandboxPaths } from './paths.ts';
import type { Display } from '../spec.ts';
import { run } from './run.ts';

const bytesPerPixel = 4;
/** Processes that can look at one screen at a time. */
const watchers = 8;

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
    await run('mount', ['-t', 'overlay', 'pwp', '-o', options.join(','), paths.merged], { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('mount-failed', `can't mount the file system of a sandbox: ${messageOf(cause)}`, {
      help: 'The cache folder (PWP_HOME) must be on a local disk, not on an overlay, as the root of a container is.',
      cause,
    });
  }
}

/** Mounts the image alone, read-only. */
export async function mountImage(
  layers: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  for (const path of layers) refuseSeparators(path);
  const options = `ro,lowerdir=${layers.join(':')},index=off,metacopy=off,redirect_dir=off,xino=on`;
  await run('mount', ['-t', 'overlay', 'pwp', '-o', options, folder], { signal });
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
  await mountTmpfs(paths.screen, `size=${pixels * watchers},mode=700`, signal);
}

/**
 * Mounts the folder that host and agent share. It is a small file system of its own, so that the sandbox can't fill the
 * host's; the host follows no symbolic links in it, so that a socket there can't be replaced by a link.
 */
export async function mountShared(paths: SandboxPaths, signal: AbortSignal): Promise<void> {
  await mountTmpfs(paths.shared, 'size=64m,mode=755', signal);
}

export async function mountTmpfs(path: string, options: string, signal: AbortSignal): Promise<void> {
  await run('mount', ['-t', 'tmpfs', 'pwp', '-o', `nosuid,nodev,noexec,nosymfollow,${options}`, path], {
    signal,
  });
}

/** Makes a network namespace with nothing but a working loopback, and mounts it on the file `path`. */
export async function createNetwork(path: string, signal: AbortSignal): Promise<void> {
  await (await open(path, 'wx', 0o600)).close();
  await run('unshare', [`--net=${path}`, 'ip', 'link', 'set', 'lo', 'up'], { signal });
}

/** Unmounts all that is mounted at or below a folder, the newest first; a no-op where nothing is. */
export async function unmountBelow(folder: string, signal: AbortSignal): Promise<void> {
  const probe = async () => {
    const points = (await mountPoints())
      .map(({ point }) => point)
      .filter((point) => point === folder || point.startsWith(`${folder}/`));
    if (points.length === 0) return { done: true, value: undefined } as const;
    let saw = '';
    // The kernel releases a file system a moment after its last process; until then it is busy.
    for (const point of points.reverse())
      await run('umount', [point], { signal }).catch((e) => (saw += messageOf(e)));
    return { done: false, saw } as const;
  };
  await poll(`unmounting ${folder}`, probe, { intervalMs: 20, signal });
}

/** All mounts, in the order in which they were made. */
export async function mountPoints(): Promise<{ point: string; source: string }[]> {
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => {
    const fields = line.split(' ');
    // After the dash: type, source, options.
    const source = fields[fields.indexOf('-', 6) + 2] ?? '';
    return { point: unescape(fields[4] ?? ''), source: unescape(source) };
  });
}

/** The kernel writes space, tab, newline and backslash as octal numbers. */
function unescape(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function refuseSeparators(path: string): void {
  if (!/[,:\\]/.test(path)) return;
  throw new PwpError(
    'bad-home',
    `${path} has a comma, a colon or a backslash in it, which mount options can't hold`,
    {
      help: 'Choose another cache folder with PWP_HOME.',
    },
  );
}
