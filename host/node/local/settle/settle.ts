import { deadline, pause, raceSignal } from '../../../../bridge/lib/index.ts';
import type { DomActivity } from '../../../../bridge/protocol/index.ts';
import type { SettleOptions, Settled } from '../../node.ts';
import type { XDisplay } from '../../display/index.ts';
import type { Background, Watch } from './background.ts';
import type { ProcessUse } from './lasting.ts';
import { busyInside, busyOutside, busyWork, lastingInside, quietMs, type Look, type Work } from './rule.ts';

/** The sources that settling looks at. */
export interface SettleSources {
  readonly display: Pick<XDisplay, 'lastDamage' | 'drawnSince'>;
  /** The activity before the input, which is not waited for. */
  readonly background: Background;
  /** The use of each of the sandbox's processes so far. */
  processes(): Promise<readonly ProcessUse[]>;
  /** Milliseconds of a clock that all processes share. */
  now(): number;
  /** Whether the page is at rest. While it can't answer, e.g. during a reload, it counts as busy. */
  activity(signal: AbortSignal): Promise<DomActivity>;
  /** Work in the IDE that may be silent. An IDE that can't be asked has no say; a late answer counts as busy. */
  work(signal: AbortSignal): Promise<Work>;
  /** CPU time that all of the sandbox's processes have used so far, in milliseconds. */
  cpuMs(): Promise<number>;
  /** How long some of them have waited for a processor so far, in milliseconds; 0 where it is unknown. */
  waitMs(): Promise<number>;
}

/** Pause between two looks from outside, in milliseconds. */
const quickLookMs = 20;
/** The same where each of them looks at all processes. */
const coarseLookMs = 50;
/** The same while only something silent runs. */
const workMs = 100;
/** A page that answers later than this is busy; milliseconds, as all here. */
const answerMs = 500;

/**
 * Waits until screen, processes, page and what runs in the IDE are at rest, or until the cap, and reports what was
 * still busy then. Only the signal ends it with an error.
 *  Page and IDE are asked last, and only when everything looks quiet from outside: every question wakes the browser and
 * the bridge, and asking all the time kept them busier than the limit for being at rest.
 */
export async function settle(
  options: SettleOptions,
  sources: SettleSources,
  signal: AbortSignal,
): Promise<Settled> {
  const start = performance.now();
  const watch = await sources.background.watch(sources);
  const settled = await settleBeside(watch, start, options, sources, signal);
  watch.end();
  return settled;
}

async function settleBeside(
  watch: Watch,
  start: number,
  options: SettleOptions,
  sources: SettleSources,
  signal: AbortSignal,
): Promise<Settled> {
  const looks: Look[] = [];
  const lookMs = watch.spares ? coarseLookMs : quickLookMs;
  for (;;) {
    looks.push(await look(sources, watch));
    await watch.note();
    const outside = busyOutside(looks, start, { ...options, coarse: watch.spares });
    const { busy, lasting, waitMs } =
      outside.length > 0
        ? { busy: outside, lasting: [], waitMs: lookMs }
        : await askInside(sources, options.capMs, options.capMs - sinceMs(start), signal);
    const ms = sinceMs(start);
    if (busy.length === 0) return { ms, reason: 'quiet', busy: [...watch.names, ...lasting] };
    if (ms >= options.capMs) return { ms, reason: 'cap', busy };
    await pause(Math.min(waitMs, options.capMs - ms), signal);
  }
}

/** Which parts are still busy inside, and how long to wait before the next look. */
async function askInside(
  sources: SettleSources,
  capMs: number,
  leftMs: number,
  signal: AbortSignal,
): Promise<{
  readonly busy: readonly string[];
  readonly lasting: readonly string[];
  readonly waitMs: number;
}> {
  const [page, work] = await Promise.all([
    ask((within) => sources.activity(within), leftMs, signal),
    ask((within) => workOf(sources, within), leftMs, signal),
  ]);
  const [busy, lasting] = [busyInside(page, capMs), lastingInside(page, capMs)];
  const running = busyWork(work);
  if (running.length > 0) return { busy: [...busy, ...running], lasting, waitMs: workMs };
  // A page that has just changed can't be quiet before that much time has passed, nor one that waits for a timer.
  const waitMs = Math.max(quickLookMs, quietMs - (page?.quietMs ?? 0), page?.pauseMs ?? 0);
  return { busy, lasting, waitMs };
}

/** An IDE that refuses to answer, e.g. while it reloads, has nothing to say. */
async function workOf(sources: SettleSources, signal: AbortSignal): Promise<Work> {
  try {
    return await sources.work(signal);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

async function look(sources: SettleSources, watch: Watch): Promise<Look> {
  const [cpuMs, waitMs, spared] = await Promise.all([sources.cpuMs(), sources.waitMs(), watch.spared()]);
  const lastDamage = watch.lastDamage(sources.display.lastDamage());
  return { at: performance.now(), lastDamage, cpuMs: cpuMs - spared.cpuMs, waitMs: spared.waitMs ?? waitMs };
}

/** Undefined if no answer comes in time, or an error. The last question may not outlast the cap by much. */
async function ask<T>(
  question: (signal: AbortSignal) => Promise<T>,
  leftMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  using longest = deadline('a look inside', Math.max(Math.min(answerMs, leftMs), quickLookMs), signal);
  try {
    return await raceSignal(question(longest.signal), longest.signal);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function sinceMs(start: number): number {
  return performance.now() - start;
}
