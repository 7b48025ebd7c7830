import { readFile, readdir } from 'node:fs/promises';
import { PwpError, messageOf, pause, type Deadline } from '../../lib/index.ts';

/** Of one tick of `/proc/<pid>/stat`, in milliseconds: Linux tells every program that there are 100 in a second. */
const tickMs = 10;
/** Between two looks, in milliseconds: so long that a few ticks don't count. */
const lookMs = 5000;
/**
 * The part of a core that is more than an IDE uses that waits. One that starts gets more also where twenty programs want
 * the same core.
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

/** None for one that has ended meanwhile, and for what is not VS Code's. */
async function workOf(pid: string): Promise<number> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
  if (!ofIde.test(await read('cmdline'))) return 0;
  const stat = await read('stat');
  // The name in parentheses may have anything in it; of what follows, the 12th and 13th are the times.
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * tickMs;
}

/** Whether VS Code gets on with what it does: on a busy machine that takes long, and is not to be begun again. */
export class IdeWork {
  readonly #read: ReadWork;
  #last: { readonly work: number; readonly at: number } | undefined;

  constructor(read: ReadWork = readIdeWork) {
    this.#read = read;
  }

  /**
   * Whether it has worked since it was asked before. Asked again within five seconds, it says no and looks later.
   * @param now milliseconds of a clock that only runs forward
   */
  async hasMoved(now: number): Promise<boolean> {
    const last = this.#last;
    if (last && now - last.at < lookMs) return false;
    const work = await this.#read();
    this.#last = { work, at: now };
    // A process that has ended takes its time along: something happens then, too.
    return last !== undefined && Math.abs(work - last.work) > (now - last.at) * leastShare;
  }
}

/**
 * As `deadline`, for what VS Code does: the time begins again whenever it works.
 * @param ms milliseconds in which it does nothing until the signal fires with a `timeout` error
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

/** Resolves when VS Code has done nothing for so long. Rejects with the signal's reason. */
async function watch(ms: number, signal: AbortSignal): Promise<void> {
  const work = new IdeWork();
  for (let since = performance.now(); performance.now() - since < ms;) {
    if (await work.hasMoved(performance.now())) since = performance.now();
    await pause(Math.min(lookMs, ms), signal);
  }
}
