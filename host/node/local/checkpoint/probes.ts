import { mkdtemp, readdir, readlink, rm, stat, statfs, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '../run.ts';

/** Where CRIU keeps its facts about the kernel, so that it need not find them out at every start. */
const kept = '/run/criu.kdat';
const memory = '/dev/shm';
const prefix = 'pwp-criu-';
/** The questions take less; in milliseconds. */
const makingMs = 60_000;
/** How the kernel marks a file system in memory; linux/magic.h. */
const tmpfs = 0x01021994;

/**
 * Makes CRIU keep what it learned about the kernel. By itself it does so only where /run is in memory, since the facts
 * must not outlive the kernel; everywhere else (containers, small virtual machines) each dump and each restore would
 * begin with some 40 ms of the same questions. There it is kept in /dev/shm: the link in /run is broken after the next
 * boot. That file is the machine's, shared by all nodes: no node removes it before. Rejects if that is not possible.
 */
export async function keepProbes(criu: string, signal: AbortSignal): Promise<void> {
  await removeLeft();
  if ((await isInMemory('/run')) || !(await isInMemory(memory)) || (await exists(kept))) return;
  const folder = await mkdtemp(join(memory, prefix));
  const file = join(folder, 'criu.kdat');
  try {
    // In a namespace of its own it finds a /run in memory.
    const script = 'mount -t tmpfs pwp /run && "$1" check && cp /run/criu.kdat "$2"';
    await run('unshare', ['--mount', 'sh', '-c', script, 'sh', criu, file], { signal });
    await rm(kept, { force: true });
    await symlink(file, kept);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Removes the leftovers of processes that were killed, and files that no link leads to any more. */
async function removeLeft(): Promise<void> {
  const used = dirname(await readlink(kept).catch(() => ''));
  const names = await readdir(memory).catch(() => []);
  for (const path of names.filter((name) => name.startsWith(prefix)).map((name) => join(memory, name)))
    if (path !== used && (await ageMs(path)) > makingMs) await rm(path, { recursive: true, force: true });
}

async function ageMs(path: string): Promise<number> {
  const info = await stat(path).catch(() => undefined);
  return info ? Date.now() - info.mtimeMs : 0;
}

async function isInMemory(folder: string): Promise<boolean> {
  return (await statfs(folder).catch(() => null))?.type === tmpfs;
}

/** Follows links. */
function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
