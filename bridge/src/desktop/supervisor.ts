import { deadline, describeError, pause, PwpError, raceSignal } from '../../lib/index.ts';
import {
  desktop,
  type DesktopStatus,
  ErrorCode,
  RpcError,
  type Service,
  type ServiceName,
} from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import { clip } from '../../text/index.ts';
import { idleDeadline } from './ide-window.ts';
import { type DesktopPart, PartStates, readLogTail, type RunningDesktopPart } from './part.ts';

/** Pauses before a part is restarted, in milliseconds: the more often it ended within the last minute, the longer. */
const RESTART_PAUSE_MS = { least: 200, most: 5000, within: 60_000 };
/** A part that can't be started this often in a row is reported as failed; it is still tried again. */
const FAILED_STARTS = 4;

/** Starts the parts of the desktop in the order of their needs, and restarts them when they die. */
export class Supervisor implements AsyncDisposable {
  readonly status: PartStates;
  readonly #over = new AbortController();
  readonly #parts: readonly DesktopPart[];
  readonly #loops = new Map<ServiceName, Promise<void>>();

  constructor(parts: readonly DesktopPart[]) {
    this.#parts = parts;
    this.status = new PartStates(parts.map(({ name }) => name));
    for (const part of parts) this.#loops.set(part.name, this.#keep(part));
  }

  /** Stops every part; those that others need come last. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort(new PwpError('cancelled', 'the desktop is being stopped'));
    await Promise.all(this.#loops.values());
  }

  async #keep(part: DesktopPart): Promise<void> {
    let ends: number[] = [];
    let failedStarts = 0;
    while (!this.#over.signal.aborted) {
      const { why, own, wasReady } = await this.#life(part);
      if (this.#over.signal.aborted) return;
      const now = performance.now();
      ends = ends.filter((at) => now - at < RESTART_PAUSE_MS.within);
      if (own) ends.push(now);
      // A part that had become ready is restarted, however often it ends.
      failedStarts = wasReady ? 0 : failedStarts + (own ? 1 : 0);
      if (failedStarts >= FAILED_STARTS)
        this.#set(part, 'failed', `${why}\n${await readLogTail(part.name, 3000)}`);
      await pause(computeRestartPause(ends.length), this.#over.signal).catch(() => undefined);
    }
  }

  /** One run of a part, from waiting to its end: why it ended, and whether by itself or with a part that it needs. */
  async #life(part: DesktopPart): Promise<{ why: string; own: boolean; wasReady: boolean }> {
    using needs = this.#watchNeeds(part);
    let running: RunningDesktopPart | undefined;
    let wasReady = false;
    const ended = (why: string, own: boolean) => {
      // Reported before the rest of it is stopped, which takes a while: else it would count as ready until then.
      if (!this.#over.signal.aborted) this.#set(part, 'waiting', why, 1);
      return { why, own, wasReady };
    };
    try {
      await this.status.until(() => this.#areReady(part.needs), this.#over.signal);
      this.#set(part, 'starting', this.status.get(part.name).detail);
      if (!this.#areReady(part.needs)) return ended('a part that it needs was lost', false);
      const limited = part.mayWork ? idleDeadline : deadline;
      using limit = limited(`start of ${part.name}`, part.startMs, needs.signal);
      running = await part.start(limit.signal);
      const { restarts } = this.status.get(part.name);
      const { reloaded } = running;
      this.status.set({ name: part.name, state: 'ready', restarts, ...(reloaded && { reloaded }) });
      wasReady = true;
      return ended(await raceSignal(running.ended, needs.signal), true);
    } catch (error) {
      return ended(describeError(error), !needs.signal.aborted);
    } finally {
      if (this.#over.signal.aborted) await this.#dependentsGone(part);
      await running?.[Symbol.asyncDispose]();
    }
  }

  /** A signal that fires when a part that this one needs is lost, or when everything ends. */
  #watchNeeds(part: DesktopPart): { signal: AbortSignal } & Disposable {
    const lost = new AbortController();
    const listening = this.status.on(({ name, state, detail }) => {
      const started = this.status.get(part.name).state !== 'waiting';
      if (started && part.needs.includes(name) && state !== 'ready') {
        lost.abort(new PwpError('cancelled', `${name} ended: ${detail?.split('\n')[0] ?? state}`));
      }
    });
    const signal = AbortSignal.any([lost.signal, this.#over.signal]);
    return { signal, [Symbol.dispose]: () => listening[Symbol.dispose]() };
  }

  async #dependentsGone({ name }: DesktopPart): Promise<void> {
    const dependents = this.#parts.filter(({ needs }) => needs.includes(name));
    for (const dependent of dependents) await this.#loops.get(dependent.name);
  }

  #areReady(names: readonly ServiceName[]): boolean {
    return names.every((name) => this.status.get(name).state === 'ready');
  }

  #set(part: DesktopPart, state: Service['state'], detail: string | undefined, died = 0): void {
    const restarts = this.status.get(part.name).restarts + died;
    this.status.set({ name: part.name, state, restarts, ...(detail && { detail: clip(detail, 4000) }) });
  }
}

function computeRestartPause(ends: number): number {
  return Math.min(RESTART_PAUSE_MS.most, RESTART_PAUSE_MS.least * 2 ** Math.max(0, ends - 1));
}

/** Returns the end of a part's log. */
export type ReadPartLog = (service: ServiceName, maxBytes: number, signal: AbortSignal) => Promise<string>;

/** Serves the state of the desktop. */
export function serveDesktopState(
  handlers: Handlers,
  status: PartStates,
  readLog: ReadPartLog = readLogTail,
): void {
  handlers
    .add(desktop.status, () => ({ services: status.services }))
    .add(desktop.wait, ({ timeoutMs }, signal) => waitUntilReady(status, timeoutMs, signal))
    .add(desktop.log, async ({ service, maxBytes }, signal) => ({
      text: await readLog(service, maxBytes, signal),
    }));
}

async function waitUntilReady(
  status: PartStates,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<DesktopStatus> {
  using limit = deadline('desktop.wait', timeoutMs, signal);
  const settled = (services: readonly Service[]) =>
    services.some(({ state }) => state === 'failed') || services.every(({ state }) => state === 'ready');
  await status.until(settled, limit.signal).catch(() => {
    throw new RpcError(
      ErrorCode.TimedOut,
      `not ready after ${timeoutMs} ms: ${describeMissing(status.services)}`,
    );
  });
  const failed = status.services.find(({ state }) => state === 'failed');
  if (!failed) return { services: status.services };
  throw new RpcError(ErrorCode.Unavailable, `${failed.name} failed: ${failed.detail ?? 'no detail'}`);
}

function describeMissing(services: readonly Service[]): string {
  const missing = services.filter(({ state }) => state !== 'ready');
  return missing
    .map(({ name, state, detail }) => `${name} ${state}${detail ? ` (${detail})` : ''}`)
    .join(', ');
}
