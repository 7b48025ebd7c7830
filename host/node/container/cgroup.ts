import { mkdir, readdir, readFile, rmdir, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deadline, poll, PwpError } from '../../../bridge/lib/index.ts';
import type { Limits } from '../sandbox-spec.ts';

const cgroupRoot = '/sys/fs/cgroup';
/** `f_type` of cgroup v2's file system, from Linux's <linux/magic.h>. */
const cgroup2Magic = 0x63677270;

/** Where a sandbox's control groups are below each hierarchy's root; runc makes them there. */
export function buildCgroupPath(id: string): string {
  return `/pwp/${id}`;
}

/** Processor time that all of the sandbox's processes have used since its start, in milliseconds. */
export async function readCpuMs(id: string): Promise<number> {
  if (await isUnified()) {
    const stat = await readFile(join(cgroupRoot, buildCgroupPath(id), 'cpu.stat'), 'utf8');
    return Number(/^usage_usec (\d+)$/m.exec(stat)?.[1] ?? Number.NaN) / 1000;
  }
  const usage = await readFile(
    join(await findHierarchy('cpuacct'), buildCgroupPath(id), 'cpuacct.usage'),
    'utf8',
  );
  return Number(usage) / 1e6;
}

/**
 * How long some process of the sandbox has waited for a processor since its start, in milliseconds; 0 where the kernel
 * keeps no pressure stall information (https://docs.kernel.org/accounting/psi.html). It is kept by cgroup v2 alone, which
 * machines with cgroup v1 often mount beside it.
 */
export async function readProcessorWaitMs(id: string): Promise<number> {
  const mount = (await isUnified()) ? cgroupRoot : join(cgroupRoot, 'unified');
  const text = await readFile(join(mount, buildCgroupPath(id), 'cpu.pressure'), 'utf8').catch(() => '');
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
  const mount = unified ? cgroupRoot : await findHierarchy(controller);
  return readIfThere(join(mount, buildCgroupPath(id), unified ? names.v2 : names.v1));
}

/** Forks that the limit of processes has refused in the sandbox's groups, those within it included. */
export async function countRefusedForks(id: string): Promise<number> {
  const unified = await isUnified();
  const folder = join(unified ? cgroupRoot : await findHierarchy('pids'), buildCgroupPath(id));
  return countRefused(folder);
}

/**
 * A group within the sandbox's: all that starts in it can be found and ended, wherever it moves in the process tree.
 */
export interface CgroupSubgroup extends AsyncDisposable {
  /** How `runc exec --cgroup` names it. */
  readonly runcName: string;
  /** Forks that the limit of processes has refused in it. */
  refusedForks(): Promise<number>;
  /** Ends all processes in it at once; resolves when none is left. */
  kill(signal: AbortSignal): Promise<void>;
}

/** @param name one word, not used by another group of this sandbox at the time */
export async function createSubgroup(id: string, name: string): Promise<CgroupSubgroup> {
  const unified = await isUnified();
  const folder = join(unified ? cgroupRoot : await findHierarchy('pids'), buildCgroupPath(id), name);
  await mkdir(folder);
  return {
    runcName: unified ? `/${name}` : `pids:/${name}`,
    refusedForks: () => countRefused(folder),
    kill: (signal) => killAll(folder, signal),
    [Symbol.asyncDispose]: () => removeGroups(folder),
  };
}

/** Ends everything left in the sandbox's groups and removes them; for what runc has forgotten. */
export function removeCgroups(id: string, signal: AbortSignal): Promise<void> {
  return removeAllGroups(buildCgroupPath(id), signal);
}

async function removeAllGroups(path: string, signal: AbortSignal): Promise<void> {
  for (const mount of (await isUnified()) ? [cgroupRoot] : await listHierarchies()) {
    const folder = join(mount, path);
    await killAll(folder, signal);
    await removeGroups(folder);
  }
}

/** A group of this machine with limits, for a program and the containers that it makes below. */
export interface LimitedGroup extends AsyncDisposable {
  /** Begins the command line of the program. */
  readonly within: readonly string[];
}

const removeMs = 30_000;

/**
 * Makes a group; disposing it ends all that is left in it.
 * @param path two names, as in `/pwp/one`
 */
export async function createLimitedGroup(
  path: string,
  { memoryMb, pids }: Pick<Limits, 'memoryMb' | 'pids'>,
): Promise<LimitedGroup> {
  const bytes = String(Math.round(memoryMb * 1024 * 1024));
  const groups = (await isUnified())
    ? [await makeUnifiedGroup(path, { 'memory.max': bytes, 'pids.max': String(pids) })]
    : [
        await makeGroup(await findHierarchy('memory'), path, { 'memory.limit_in_bytes': bytes }),
        await makeGroup(await findHierarchy('pids'), path, { 'pids.max': String(pids) }),
      ];
  const enter = groups.map((folder) => `echo $$ > '${folder}/cgroup.procs' && `).join('');
  return {
    within: ['sh', '-c', `${enter}exec "$@"`, 'sh'],
    async [Symbol.asyncDispose]() {
      using limit = deadline(`the end of ${path}`, removeMs);
      await removeAllGroups(path, limit.signal);
    },
  };
}

async function makeGroup(
  mount: string,
  path: string,
  limits: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(mount, path);
  await mkdir(folder, { recursive: true });
  for (const [name, value] of Object.entries(limits)) await writeFile(join(folder, name), value);
  return folder;
}

/** Version 2 lets a group hand controllers down only when no process is in the group itself. */
async function makeUnifiedGroup(path: string, limits: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(cgroupRoot, path);
  await mkdir(folder, { recursive: true });
  for (const above of [cgroupRoot, dirname(folder), folder])
    await writeFile(join(above, 'cgroup.subtree_control'), '+memory +pids');
  await makeGroup(cgroupRoot, path, limits);
  return makeGroup(folder, 'program', {});
}

/** Resumes all processes of a sandbox; a no-op if they run or if there is no such group. */
export async function thawProcesses(id: string): Promise<void> {
  const { path, thawed } = await locateFreezer(id);
  try {
    await writeFile(path, thawed, { flag: 'r+' });
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Whether the processes of a sandbox are frozen, all of them; false if there is no such group. */
export async function isSandboxFrozen(id: string): Promise<boolean> {
  const { path, frozen } = await locateFreezer(id);
  return (await readIfThere(path))?.trim() === frozen;
}

async function locateFreezer(id: string): Promise<{ path: string; frozen: string; thawed: string }> {
  return (await isUnified())
    ? { path: join(cgroupRoot, buildCgroupPath(id), 'cgroup.freeze'), frozen: '1', thawed: '0' }
    : {
        path: join(await findHierarchy('freezer'), buildCgroupPath(id), 'freezer.state'),
        frozen: 'FROZEN',
        thawed: 'THAWED',
      };
}

/** Process ids of all that runs in the sandbox, as this process sees them. */
export async function listProcessIds(id: string): Promise<number[]> {
  const mount = (await isUnified()) ? cgroupRoot : await findHierarchy('pids');
  return listProcessesIn(join(mount, buildCgroupPath(id)));
}

async function isUnified(): Promise<boolean> {
  return (await statfs(cgroupRoot)).type === cgroup2Magic;
}

async function findHierarchy(controller: string): Promise<string> {
  const mounts = await listHierarchies();
  const found = mounts.find((mount) =>
    mount
      .slice(cgroupRoot.length + 1)
      .split(',')
      .includes(controller),
  );
  if (found) return found;
  throw new PwpError('no-cgroup', `cgroup controller ${controller} is not mounted under ${cgroupRoot}`);
}

async function listHierarchies(): Promise<string[]> {
  const entries = await readdir(cgroupRoot, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(cgroupRoot, entry.name));
}

async function killAll(folder: string, signal: AbortSignal): Promise<void> {
  const probe = async () => {
    const pids = await listProcessesIn(folder);
    for (const pid of pids) killProcess(pid);
    if (pids.length === 0) return { done: true, value: undefined } as const;
    return { done: false, saw: `processes ${pids.join(', ')}` } as const;
  };
  await poll(`the end of all processes in ${folder}`, probe, { intervalMs: 10, signal });
}

/** Process ids of a group and the groups below it. */
async function listProcessesIn(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const below = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => listProcessesIn(join(folder, entry.name)));
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
  return counts.reduce((sum, count) => sum + count, readNumberField(events, 'max'));
}

/** A number from lines of `name number`; 0 if the name is missing. */
export function readNumberField(text: string, name: string): number {
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

async function removeGroups(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeGroups(join(folder, entry.name));
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

function killProcess(pid: number): void {
  // 0 is a process of another pid namespace, which is out of reach.
  if (pid <= 0) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
