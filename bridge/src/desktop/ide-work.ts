import { readFile, readdir } from 'node:fs/promises';
import { PwpError, messageOf, pause, type Deadline } from '../../lib/index.ts';

/** One tick of `/proc/<pid>/stat`, in milliseconds: Linux reports 100 ticks a second to every program. */
const tickMs = 10;
/** Milliseconds between two looks: long enough that a few ticks don't matter. */
const lookMs = 5000;
/**
 * The share of a core above which an IDE is at work. One that waits uses less; one that starts gets more, even if twenty
 * programs compete for the core.
 */
const leastShare = 0.04;
/** The processes of VS Code: its server with the extension host and what that starts, and the browser. */
const ofIde = /\/code-server\/|chrom/;

/** Milliseconds of processor time that all processes of VS Code have used. */
export type ReadWork = () => Promise<number>;

export async function readIdeWork(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map(workOf));
  return all.reduce((sum, each) => sum + each, 0);
}

/** 0 for a process that has ended meanwhile, or does not belong to VS Code. */
async function workOf(pid: string): Promise<number> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
  if (!ofIde.test(await read('cmdline'))) return 0;
  const stat = await read('stat');
  // The name in parentheses may contain anything; the 12th and 13th field after it are the times.
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * tickMs;
}

/** Whether VS Code makes progress: on a busy machine its start takes long, and must not be begun again. */
export class IdeWork {
  readonly #read: ReadWork;
  #last: { readonly work: number; readonly at: number } | undefined;

  constructor(read: ReadWork = readIdeWork) {
    this.#read = read;
  }

  /**
   * Whether VS Code has worked since the previous call. Within five seconds of that, it returns false without a look.
   * @param now milliseconds of a clock that only runs forward
   */
  async hasMoved(now: number): Promise<boolean> {
    const last = this.#last;
    if (last && now - last.at < lookMs) return false;
    const work = await this.#read();
    this.#last = { work, at: now };
    // The sum falls when a process ends: that is progress, too.
    return last !== undefined && Math.abs(work - last.work) > (now - last.at) * leastShare;
  }
}

/**
 * As `deadline`, for work of VS Code: the time begins again whenever VS Code works.
 * @param ms milliseconds of inactivity after which the signal fires with a `timeout` error
 */
export function idleDeadline(operation: string, ms: number, parent: AbortSignal): Deadline {
  const [over, fired] = [new AbortController(), new AbortController()];
  const signal = AbortSignal.any([parent, fired.signal]);
  watch(ms, AbortSignal.any([parent, over.signal])).then(
    () => fired.abort(new PwpError('timeout', `${operation}: VS Code did nothing for ${ms} ms`)),
    (error: unknown) => {
      if (!over.signal.aborted && !parent.aborted)
        fired.abort(new PwpError('timeout', `${operation}: ${messageOf(error)}`, { cause: error }));
    },
  );
  return { signal, [Symbol.dispose]: () => over.abort() };
}

/** Resolves when VS Code has done nothing for this long. Rejects with the signal's reason. */
async function watch(ms: number, signal: AbortSignal): Promise<void> {
  const work = new IdeWork();
  for (let since = performance.now(); performance.now() - since < ms;) {
    if (await work.hasMoved(performance.now())) since = performance.now();
    await pause(Math.min(lookMs, ms), signal);
  }
}
