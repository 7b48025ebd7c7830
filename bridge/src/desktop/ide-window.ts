import { readdir, readFile } from 'node:fs/promises';
import { deadline, type Deadline, describeError, pause, poll, PwpError } from '../../lib/index.ts';
import { agentSide, ide, toolMethods, viewTools, workspaceMethods } from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import type { AgentSideConnection } from '../agent-connection.ts';
import type { DesktopPart, PartStates } from './part.ts';

/** No real limit: callers that wait for the desktop report what is missing. Milliseconds. */
const ONE_DAY = 86_400_000;
/** The time limit of one question of many, in milliseconds: an extension host may hang for ever. */
const ANSWER_MS = 30_000;

/** The window that the browser shows. */
export interface IdeWindow {
  /** When its browser was started, in milliseconds since 1970. */
  readonly launchedAt: number;
  /** When its page was loaded, in milliseconds since 1970; undefined while it can't be asked. */
  loadedAt(signal: AbortSignal): Promise<number | undefined>;
  /** Reloads it. */
  reload(signal: AbortSignal): Promise<void>;
}

/**
 * Opens the initial files as a person would. If the page's address named them, VS Code would open them before it knows
 * the editors of extensions, and would report a picture as a file that is not text.
 */
async function openInitialFiles(
  link: AgentSideConnection,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const path of link.files) {
    using limit = deadline(`opening ${path}`, ANSWER_MS, signal);
    try {
      const call = { name: viewTools.openFile.name, arguments: { path } };
      await link.request(toolMethods.call, call, limit.signal);
    } catch (error) {
      signal.throwIfAborted();
      note(`extension: ${path} is not open: ${describeError(error)}`);
    }
  }
}

/**
 * Our extension in the window that the browser shows. It goes and comes back whenever the window is reloaded.
 * @param note writes a line into the bridge's log
 */
export function extensionPart(
  link: AgentSideConnection,
  window: IdeWindow,
  note: (line: string) => void,
): DesktopPart {
  const reloads = new WindowReloads();
  const work = new IdeWorkMeter();
  let page: number | undefined;
  /** The start of the browser in which the initial files were opened. */
  let opened: number | undefined;
  return {
    name: 'extension',
    needs: ['chromium'],
    startMs: ONE_DAY,
    async start(signal) {
      reloads.begin(window.launchedAt, performance.now());
      const answer = async () => {
        const now = performance.now();
        if (await work.hasMoved(now)) reloads.moved(now);
        if (reloads.isDue(performance.now())) {
          note('extension: the window has not started it; reloading the window');
          await window.reload(signal);
        }
        using limit = deadline('answer of the extension', ANSWER_MS, signal);
        const found = await link.request(agentSide.window, { notBefore: window.launchedAt }, limit.signal);
        await link.request(ide.info, {}, limit.signal);
        return { done: true, value: found } as const;
      };
      const found = await poll('the extension', answer, { intervalMs: 50, signal });
      reloads.answered();
      if (opened !== window.launchedAt) await openInitialFiles(link, note, signal);
      opened = window.launchedAt;
      const [former, loadedAt] = [page, await window.loadedAt(signal)];
      page = loadedAt;
      const over = new AbortController();
      const end = link.request(agentSide.windowEnd, found, over.signal);
      return {
        reloaded: former !== undefined && former !== loadedAt,
        ended: end.then(() => 'the extension host of the window ended', describeError),
        [Symbol.asyncDispose]: () => Promise.resolve(over.abort()),
      };
    },
  };
}

/**
 * How long a window may do nothing and not answer through our extension before its first and its second reload, in
 * milliseconds. More than the minute after which VS Code gives up its extension host.
 */
const RELOAD_WAITS_MS = [75_000, 150_000];

/**
 * Decides when to reload a window that never started its extensions. VS Code gives up an extension host that is not ready
 * within a minute of its connection, as happens on a machine where many sandboxes start at once: the window exists, but
 * nothing in it ever answers.
 */
export class WindowReloads {
  #browser: number | undefined;
  #waits: number[] = [];
  #since = 0;

  /**
   * Starts to wait for an answer.
   * @param browser when the window's browser was started: the windows of another browser may be reloaded again
   * @param now milliseconds of a clock that only runs forward, as in {@link isDue}
   */
  begin(browser: number, now: number): void {
    if (browser !== this.#browser) this.#waits = [...RELOAD_WAITS_MS];
    this.#browser = browser;
    this.#since = now;
  }

  /** VS Code makes progress, so the time begins again: on a busy machine, a reload would only repeat the whole start. */
  moved(now: number): void {
    this.#since = now;
  }

  /** Whether to reload the window now. True once for each time limit. */
  isDue(now: number): boolean {
    const [wait] = this.#waits;
    if (wait === undefined || now - this.#since < wait) return false;
    this.#waits.shift();
    this.#since = now;
    return true;
  }

  /** A window whose extensions have run is no longer reloaded: it may contain work. */
  answered(): void {
    this.#waits = [];
  }
}

/** How long a window may do nothing before its extensions run, in milliseconds. */
const REOPEN_IDLE_MS = 90_000;

/** Serves `workspace.reopen`, which reloads the window. */
export function serveReopen(handlers: Handlers, status: PartStates, window: Pick<IdeWindow, 'reload'>): void {
  handlers.add(workspaceMethods.reopen, async (_, parent) => {
    using limit = idleDeadline('workspace.reopen', REOPEN_IDLE_MS, parent);
    const { signal } = limit;
    // Listens first: the part that is ready now belongs to the window that ends.
    const gone = status.until((services) => services.some(({ state }) => state !== 'ready'), signal);
    await Promise.all([window.reload(signal), gone]);
    await status.until((services) => services.every(({ state }) => state === 'ready'), signal);
    return {};
  });
}

/** One tick of `/proc/<pid>/stat`, in milliseconds: Linux reports 100 ticks a second to every program. */
const tickMs = 10;
/** Milliseconds between two looks: long enough that a few ticks don't matter. */
const lookMs = 5000;
/**
 * The share of a core above which an IDE is at work. One that waits uses less; one that starts gets more, even if twenty
 * programs compete for the core.
 */
const workingShare = 0.04;
/** The processes of VS Code: its server with the extension host and what that starts, and the browser. */
const ideProcesses = /\/code-server\/|chrom/;

/** Milliseconds of processor time that all processes of VS Code have used. */
type ReadWork = () => Promise<number>;

async function readIdeWork(): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(pids.map(readProcessWork));
  return all.reduce((sum, each) => sum + each, 0);
}

/** 0 for a process that has ended meanwhile, or does not belong to VS Code. */
async function readProcessWork(pid: string): Promise<number> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
  if (!ideProcesses.test(await read('cmdline'))) return 0;
  const stat = await read('stat');
  // The name in parentheses may contain anything; the 12th and 13th field after it are the times.
  const [user = '0', system = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * tickMs;
}

/** Whether VS Code makes progress: on a busy machine its start takes long, and must not be begun again. */
export class IdeWorkMeter {
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
    return last !== undefined && Math.abs(work - last.work) > (now - last.at) * workingShare;
  }
}

/**
 * As `deadline`, for work of VS Code: the time begins again whenever VS Code works.
 * @param ms milliseconds of inactivity after which the signal fires with a `timeout` error
 */
export function idleDeadline(operation: string, ms: number, parent: AbortSignal): Deadline {
  const [over, fired] = [new AbortController(), new AbortController()];
  const signal = AbortSignal.any([parent, fired.signal]);
  waitUntilIdle(ms, AbortSignal.any([parent, over.signal])).then(
    () => fired.abort(new PwpError('timeout', `${operation}: VS Code did nothing for ${ms} ms`)),
    (error: unknown) => {
      if (!over.signal.aborted && !parent.aborted)
        fired.abort(new PwpError('timeout', `${operation}: ${describeError(error)}`, { cause: error }));
    },
  );
  return { signal, [Symbol.dispose]: () => over.abort() };
}

/** Resolves when VS Code has done nothing for this long. Rejects with the signal's reason. */
async function waitUntilIdle(ms: number, signal: AbortSignal): Promise<void> {
  const work = new IdeWorkMeter();
  for (let since = performance.now(); performance.now() - since < ms;) {
    if (await work.hasMoved(performance.now())) since = performance.now();
    await pause(Math.min(lookMs, ms), signal);
  }
}
