import { mkdir, readFile, readdir, rmdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError, poll } from '../../../bridge/lib/index.ts';

const root = '/sys/fs/cgroup';
/** `f_type` of cgroup v2's file system, from Linux's <linux/magic.h>. */
const cgroup2Magic = 0x63677270;

/** Where a sandbox's control groups are below each hierarchy's root; runc makes them there. */
export function cgroupsPath(id: string): string {
  return `/pwp/${id}`;
}

/** Processor time that all of the sandbox's processes have used since its start, in milliseconds. */
export async function cpuMs(id: string): Promise<number> {
  if (await isUnified()) {
    const stat = await readFile(join(root, cgroupsPath(id), 'cpu.stat'), 'utf8');
    return Number(/^usage_usec (\d+)$/m.exec(stat)?.[1] ?? Number.NaN) / 1000;
  }
  const usage = await readFile(join(await hierarchy('cpuacct'), cgroupsPath(id), 'cpuacct.usage'), 'utf8');
  return Number(usage) / 1e6;
}

/**
 * How long some process of the sandbox has waited for a processor since its start, in milliseconds; 0 where the kernel
 * keeps no pressure stall information (https://docs.kernel.org/accounting/psi.html). It is kept by cgroup v2 alone, which
 * machines with cgroup v1 often mount beside it.
 */
export async function processorWaitMs(id: string): Promise<number> {
  const mount = (await isUnified()) ? root : join(root, 'unified');
  const text = await readFile(join(mount, cgroupsPath(id), 'cpu.pressure'), 'utf8').catch(() => '');
  return Number(/^some .*total=(\d+)$/m.exec(text)?.[1] ?? 0) / 1000;
}

/**
 * A file of one of the sandbox's groups, by its names in cgroup v1 and v2; its name alone where both have the same.
 * Null if there is no such file.
 */
export async function readGroup(
  id: string,
  controller: string,
  names: { readonly v1: string; readonly v2: string },
): Promise<string | null> {
  const unified = await isUnified();
  const mount = unified ? root : await hierarchy(controller);
  return readIfThere(join(mount, cgroupsPath(id), unified ? names.v2 : names.v1));
}

/** Forks that the limit of processes has refused in the sandbox's groups, those within it included. */
export async function refusedForks(id: string): Promise<number> {
  const unified = await isUnified();
  const folder = join(unified ? root : await hierarchy('pids'), cgroupsPath(id));
  return countRefused(folder);
}

/**
 * A group within the sandbox's: all that starts in it can be found and ended, wherever it moves in the process tree.
 */
export interface Subgroup extends AsyncDisposable {
  /** How `runc exec --cgroup` names it. */
  readonly runcName: string;
  /** Forks that the limit of processes has refused in it. */
  refusedForks(): Promise<number>;
  /** Ends all processes in it at once; resolves when none is left. */
  kill(signal: AbortSignal): Promise<void>;
}

/** @param name one word, not used by another group of this sandbox at the time */
export async function createSubgroup(id: string, name: string): Promise<Subgroup> {
  const unified = await isUnified();
  const folder = join(unified ? root : await hierarchy('pids'), cgroupsPath(id), name);
  await mkdir(folder);
  return {
    runcName: unified ? `/${name}` : `pids:/${name}`,
    refusedForks: () => countRefused(folder),
    kill: (signal) => killAll(folder, signal),
    [Symbol.asyncDispose]: () => removeTree(folder),
  };
}

/** Ends everything left in the sandbox's groups and removes them; for what runc has forgotten. */
export async function removeCgroups(id: string, signal: AbortSignal): Promise<void> {
  for (const mount of (await isUnified()) ? [root] : await hierarchies()) {
    const folder = join(mount, cgroupsPath(id));
    await killAll(folder, signal);
    await removeTree(folder);
  }
}

/** Resumes all processes of a sandbox; a no-op if they run or if there is no such group. */
export async function thaw(id: string): Promise<void> {
  const { path, thawed } = await freezerOf(id);
  try {
    await writeFile(path, thawed, { flag: 'r+' });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Whether the processes of a sandbox are frozen, all of them; false if there is no such group. */
export async function isFrozen(id: string): Promise<boolean> {
  const { path, frozen } = await freezerOf(id);
  return (await readIfThere(path))?.trim() === frozen;
}

async function freezerOf(id: string): Promise<{ path: string; frozen: string; thawed: string }> {
  return (await isUnified())
    ? { path: join(root, cgroupsPath(id), 'cgroup.freeze'), frozen: '1', thawed: '0' }
    : {
        path: join(await hierarchy('freezer'), cgroupsPath(id), 'freezer.state'),
        frozen: 'FROZEN',
        thawed: 'THAWED',
      };
}

/** Process ids, on this machine, of all that runs in the sandbox. */
export async function processesOf(id: string): Promise<number[]> {
  const mount = (await isUnified()) ? root : await hierarchy('pids');
  return processesIn(join(mount, cgroupsPath(id)));
}

async function isUnified(): Promise<boolean> {
  return (await statfs(root)).type === cgroup2Magic;
}

async function hierarchy(controller: string): Promise<string> {
  const mounts = await hierarchies();
  const found = mounts.find((mount) =>
    mount
      .slice(root.length + 1)
      .split(',')
      .includes(controller),
  );
  if (found) return found;
  throw new PwpError('no-cgroup', `cgroup controller ${controller} is not mounted under ${root}`);
}

async function hierarchies(): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(root, entry.name));
}

async function killAll(folder: string, signal: AbortSignal): Promise<void> {
  const probe = async () => {
    const pids = await processesIn(folder);
    for (const pid of pids) kill(pid);
    if (pids.length === 0) return { done: true, value: undefined } as const;
    return { done: false, saw: `processes ${pids.join(', ')}` } as const;
  };
  await poll(`the end of all processes in ${folder}`, probe, { intervalMs: 10, signal });
}

/** Process ids of a sandbox, as this process sees them. */
export async function processIds(id: string): Promise<number[]> {
  return processesIn(join((await isUnified()) ? root : await hierarchy('pids'), cgroupsPath(id)));
}

/** Process ids of a group and the groups below it. */
async function processesIn(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => processesIn(join(folder, entry.name)));
  const own = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '');
  const pids = own.split('\n').filter(Boolean).map(Number);
  return [...pids, ...(await Promise.all(below)).flat()];
}

/** Counts are kept where the fork was tried, so those of the groups below are added. */
async function countRefused(folder: string): Promise<number> {
  const local = await readIfThere(join(folder, 'pids.events.local'));
  const events = local ?? (await readIfThere(join(folder, 'pids.events'))) ?? '';
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = entries.filter((entry) => entry.isDirectory());
  const counts = await Promise.all(below.map((entry) => countRefused(join(folder, entry.name))));
  return counts.reduce((sum, count) => sum + count, fieldOf(events, 'max'));
}

/** A number from lines of `name number`; 0 if the name is missing. */
export function fieldOf(text: string, name: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (isGone(error)) return null;
    throw error;
  });
}

/** A group, or one of its files: it may be removed while a file of it is open. */
function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENODEV';
}

async function removeTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function kill(pid: number): void {
  // 0 is a process of another pid namespace, which is out of reach.
  if (pid <= 0) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
