import { readFile, writeFile } from 'node:fs/promises';

/** Limits of inotify for one user, in all sandboxes and on this machine together: each IDE takes some 10 and 5000. */
const wanted = { max_user_instances: 8192, max_user_watches: 1_048_576 } as const;

type Name = keyof typeof wanted;
const names = Object.keys(wanted) as Name[];

/** Where the kernel has the limits, and where they are kept for its next boot. */
interface Places {
  readonly kernel: string;
  readonly kept: string;
}

const places: Places = { kernel: '/proc/sys/fs/inotify', kept: '/etc/sysctl.d/60-pwp.conf' };

/** How many file watchers this machine allows. */
export interface WatchLimits {
  readonly instances: number;
  readonly watches: number;
  /** A command that raises what is too low; null where nothing is. */
  readonly cure: string | null;
}

/** Null where the kernel does not say, e.g. on another system. */
export async function watchLimits({ kernel }: Places = places): Promise<WatchLimits | null> {
  const found = await lowOf(kernel);
  if (!found) return null;
  const { values, low } = found;
  const settings = low.map((name) => `fs.inotify.${name}=${wanted[name]}`);
  return {
    instances: values.max_user_instances,
    watches: values.max_user_watches,
    cure: low.length === 0 ? null : `sysctl -w ${settings.join(' ')}`,
  };
}

/** The messages of programs that can't watch a file. */
const noWatcher = /EMFILE[^\n]*watch|ENOSPC[^\n]*(watch|inotify)|inotify(_init[^\n]*failed| fd)/i;

/** The cure for a failure with this message; undefined if it is not about file watchers. */
export async function watchersHelp(said: string): Promise<string | undefined> {
  if (!noWatcher.test(said)) return undefined;
  const limits = await watchLimits();
  const cure = limits?.cure ? `Raise the limits: ${limits.cure}` : 'End the sandbox that uses them up';
  return `The file watchers of this machine, which all sandboxes share, are used up. ${cure}`;
}

/**
 * Raises limits that are too low for many IDEs, now and for the next boot. Where that can't be done, `pwp doctor` says
 * what to do: most work needs less.
 */
export async function raiseWatchLimits({ kernel, kept }: Places = places): Promise<void> {
  const low = (await lowOf(kernel))?.low ?? [];
  if (low.length === 0) return;
  const lines = low.map((name) => `fs.inotify.${name} = ${wanted[name]}\n`);
  const ignore = () => undefined;
  await Promise.all(low.map((name) => writeFile(`${kernel}/${name}`, String(wanted[name])).catch(ignore)));
  await writeFile(kept, `# Made by pwp: for many IDEs at once.\n${lines.join('')}`).catch(ignore);
}

async function lowOf(
  kernel: string,
): Promise<{ readonly values: Readonly<Record<Name, number>>; readonly low: readonly Name[] } | null> {
  const read = async (name: Name) => [name, Number(await readFile(`${kernel}/${name}`, 'utf8'))] as const;
  const all = await Promise.all(names.map(read)).catch(() => null);
  if (!all) return null;
  const values = Object.fromEntries(all) as Record<Name, number>;
  // A machine that was set to nearly as much, e.g. by its distribution, is left as it is.
  return { values, low: names.filter((name) => values[name] < wanted[name] / 2) };
}
