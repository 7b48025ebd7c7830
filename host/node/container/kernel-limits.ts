import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

/** Limits of inotify for one user, in all sandboxes and on this machine together: each IDE takes some 10 and 5000. */
const wantedLimits = { max_user_instances: 8192, max_user_watches: 1_048_576 } as const;

type WatchLimitName = keyof typeof wantedLimits;
const watchLimitNames = Object.keys(wantedLimits) as WatchLimitName[];

/** Where the kernel has the limits, and where they are kept for its next boot. */
interface LimitPlaces {
  readonly kernel: string;
  readonly kept: string;
}

const limitPlaces: LimitPlaces = { kernel: '/proc/sys/fs/inotify', kept: '/etc/sysctl.d/60-pwp.conf' };

/** How many file watchers this machine allows. */
export interface WatchLimits {
  readonly instances: number;
  readonly watches: number;
  /** A command that raises what is too low; null where nothing is. */
  readonly cure: string | null;
}

/** Null where the kernel does not say, e.g. on another system. */
export async function readWatchLimits({ kernel }: LimitPlaces = limitPlaces): Promise<WatchLimits | null> {
  const found = await findLowLimits(kernel);
  if (!found) return null;
  const { values, low } = found;
  const settings = low.map((name) => `fs.inotify.${name}=${wantedLimits[name]}`);
  return {
    instances: values.max_user_instances,
    watches: values.max_user_watches,
    cure: low.length === 0 ? null : `sysctl -w ${settings.join(' ')}`,
  };
}

/** The messages of programs that can't watch a file. */
const watcherFailure = /EMFILE[^\n]*watch|ENOSPC[^\n]*(watch|inotify)|inotify(_init[^\n]*failed| fd)/i;

/** The cure for a failure with this message; undefined if it is not about file watchers. */
export async function explainWatcherFailure(said: string): Promise<string | undefined> {
  if (!watcherFailure.test(said)) return undefined;
  const limits = await readWatchLimits();
  const cure = limits?.cure ? `Raise the limits: ${limits.cure}` : 'End the sandbox that uses them up';
  return `The file watchers of this machine, which all sandboxes share, are used up. ${cure}`;
}

/**
 * Raises limits that are too low for many IDEs, now and for the next boot. Where that can't be done, `pwp doctor` says
 * what to do: most work needs less.
 */
export async function raiseWatchLimits({ kernel, kept }: LimitPlaces = limitPlaces): Promise<void> {
  const low = (await findLowLimits(kernel))?.low ?? [];
  if (low.length === 0) return;
  const lines = low.map((name) => `fs.inotify.${name} = ${wantedLimits[name]}\n`);
  const ignore = () => undefined;
  await Promise.all(
    low.map((name) => writeFile(`${kernel}/${name}`, String(wantedLimits[name])).catch(ignore)),
  );
  await writeFile(kept, `# Made by pwp: for many IDEs at once.\n${lines.join('')}`).catch(ignore);
}

async function findLowLimits(kernel: string): Promise<{
  readonly values: Readonly<Record<WatchLimitName, number>>;
  readonly low: readonly WatchLimitName[];
} | null> {
  const read = async (name: WatchLimitName) =>
    [name, Number(await readFile(`${kernel}/${name}`, 'utf8'))] as const;
  const all = await Promise.all(watchLimitNames.map(read)).catch(() => null);
  if (!all) return null;
  const values = Object.fromEntries(all) as Record<WatchLimitName, number>;
  // A machine that was set to nearly as much, e.g. by its distribution, is left as it is.
  return { values, low: watchLimitNames.filter((name) => values[name] < wantedLimits[name] / 2) };
}

/** A limit of each process of a sandbox, as the runtime specification has it. */
export interface ProcessLimit {
  readonly type: string;
  readonly hard: number;
  readonly soft: number;
}

/**
 * The kernel counts some things for a user, not for a sandbox, and this machine's root has the number of the agent's user.
 * With these a sandbox can't use up what the machine's own programs have.
 */
const perUserLimits = [
  // Queued signals and timers.
  { type: 'RLIMIT_SIGPENDING', name: 'Max pending signals', most: 4096 },
  // Bytes of POSIX message queues: room for two of the usual size.
  { type: 'RLIMIT_MSGQUEUE', name: 'Max msgqueue size', most: 204_800 },
];

/** @param own this process's limits, as /proc/self/limits has them: none can be raised in a container */
export function readProcessLimits(own = readFileSync('/proc/self/limits', 'utf8')): ProcessLimit[] {
  const shared = perUserLimits.map(({ type, name, most }) => {
    const hard = Math.min(most, parseHardLimit(own, name));
    return { type, hard, soft: hard };
  });
  // A crash's memory image would land on the disk of the host.
  return [{ type: 'RLIMIT_CORE', hard: 0, soft: 0 }, ...shared];
}

/** Infinite where there is no limit, or the kernel doesn't say. */
function parseHardLimit(limits: string, name: string): number {
  const line = limits.split('\n').find((one) => one.startsWith(name));
  const [, hard = 'unlimited'] = line?.slice(name.length).trim().split(/\s+/) ?? [];
  return hard === 'unlimited' ? Infinity : Number(hard);
}
