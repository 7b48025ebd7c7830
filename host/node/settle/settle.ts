import { deadline, pause, raceSignal } from '../../../bridge/lib/index.ts';
import type { DomActivity, ide, ResultOf } from '../../../bridge/protocol/index.ts';
import type { XDisplay } from '../display/index.ts';
import type { Settled, SettleOptions } from '../node.ts';
import type { BackgroundActivity, BackgroundWatch } from './background-activity.ts';
import type { ProcessUse } from './lasting-activity.ts';

/** The sources that settling looks at. */
export interface SettleSources {
  readonly display: Pick<XDisplay, 'lastDamage' | 'drawnSince'>;
  /** The activity before the input, which is not waited for. */
  readonly background: BackgroundActivity;
  /** The use of each of the sandbox's processes so far. */
  processes(): Promise<readonly ProcessUse[]>;
  /** Milliseconds of a clock that all processes share. */
  now(): number;
  /** Whether the page is at rest. While it can't answer, e.g. during a reload, it counts as busy. */
  activity(signal: AbortSignal): Promise<DomActivity>;
  /** Work in the IDE that may be silent. An IDE that can't be asked has no say; a late answer counts as busy. */
  work(signal: AbortSignal): Promise<RunningIdeWork>;
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
const silentWorkLookMs = 100;
/** A page that answers later than this is busy; milliseconds, as all here. */
const pageAnswerMs = 500;

/**
 * Waits until screen, processes, page and what runs in the IDE are at rest, or until the cap, and reports what was
 * still busy then. Only the signal ends it with an error.
 *  Page and IDE are asked last, and only when everything looks quiet from outside: every question wakes the browser and
 * the bridge, and asking all the time kept them busier than the limit for being at rest.
 */
export async function awaitSettled(
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
  watch: BackgroundWatch,
  start: number,
  options: SettleOptions,
  sources: SettleSources,
  signal: AbortSignal,
): Promise<Settled> {
  const looks: OutsideLook[] = [];
  const lookMs = watch.spares ? coarseLookMs : quickLookMs;
  for (;;) {
    looks.push(await lookOutside(sources, watch));
    await watch.note();
    const outside = listBusyOutside(looks, start, { ...options, coarse: watch.spares });
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
    askInTime((within) => sources.activity(within), leftMs, signal),
    askInTime((within) => askIdeWork(sources, within), leftMs, signal),
  ]);
  const [busy, lasting] = [listBusyInside(page, capMs), listLastingInside(page, capMs)];
  const running = listBusyWork(work);
  if (running.length > 0) return { busy: [...busy, ...running], lasting, waitMs: silentWorkLookMs };
  // A page that has just changed can't be quiet before that much time has passed, nor one that waits for a timer.
  const waitMs = Math.max(quickLookMs, stillMs - (page?.quietMs ?? 0), page?.pauseMs ?? 0);
  return { busy, lasting, waitMs };
}

/** An IDE that refuses to answer, e.g. while it reloads, has nothing to say. */
async function askIdeWork(sources: SettleSources, signal: AbortSignal): Promise<RunningIdeWork> {
  try {
    return await sources.work(signal);
  } catch {
    signal.throwIfAborted();
    return [];
  }
}

async function lookOutside(sources: SettleSources, watch: BackgroundWatch): Promise<OutsideLook> {
  const [cpuMs, waitMs, spared] = await Promise.all([sources.cpuMs(), sources.waitMs(), watch.spared()]);
  const lastDamage = watch.lastDamage(sources.display.lastDamage());
  return { at: performance.now(), lastDamage, cpuMs: cpuMs - spared.cpuMs, waitMs: spared.waitMs ?? waitMs };
}

/** Undefined if no answer comes in time, or an error. The last question may not outlast the cap by much. */
async function askInTime<T>(
  question: (signal: AbortSignal) => Promise<T>,
  leftMs: number,
  signal: AbortSignal,
): Promise<T | undefined> {
  using longest = deadline('a look inside', Math.max(Math.min(pageAnswerMs, leftMs), quickLookMs), signal);
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

/** One look from outside the sandbox: it costs the sandbox nothing. Times are `performance.now()` in milliseconds. */
export interface OutsideLook {
  readonly at: number;
  /** When something was last drawn; undefined when nothing was. */
  readonly lastDamage: number | undefined;
  /** CPU time that all of the sandbox's processes have used so far. */
  readonly cpuMs: number;
  /** How long some of them have waited for a processor so far. */
  readonly waitMs: number;
}

/** The activity in the IDE, as the extension reports it. */
type RunningIdeWork = ResultOf<typeof ide.work>['running'];

/** How long the screen and the DOM must have been still. */
const stillMs = 100;
/** Without any drawing yet: how long an answer to keys and clicks may take, and one to pointer motion. */
const firstDrawingMs = { keys: 250, pointer: 600 } as const;
/** CPU use below which the processes are at rest: this share of one core, over at least this long. */
const restingCpu = { share: 0.15, windowMs: 150 } as const;
/** Ticks of 10 ms of some programs are a small part of this window. */
const coarseWindowMs = 300;
/**
 * On a busy machine processes that have work to do may get no processor, and look idle. They are not at rest while one of
 * them waits for this share of the window or more; an IDE at rest waits for a tenth of it beside a load of three per core.
 */
const busyWaitShare = 0.5;

/**
 * The parts that are still busy as seen from outside, after the looks so far, the newest last: empty when all is at
 * rest.
 * @param start when settling began
 */
export function listBusyOutside(
  looks: readonly OutsideLook[],
  start: number,
  options: Pick<SettleOptions, 'pointerOnly'> & {
    /** The processor time of some programs is left out, which the kernel counts in ticks. */
    readonly coarse?: boolean;
  },
): string[] {
  const now = looks.at(-1);
  if (now === undefined) return ['screen'];
  const busy: string[] = [];
  if (!isScreenAtRest(now, start, options.pointerOnly)) busy.push('screen');
  const used = measureProcessorUse(looks, options.coarse === true ? coarseWindowMs : restingCpu.windowMs);
  if (used === undefined) busy.push('cpu');
  else if (used.cpu >= restingCpu.share) busy.push(`cpu ${Math.round(used.cpu * 100)} %`);
  else if (used.waiting >= busyWaitShare) busy.push('waits for a cpu');
  return busy;
}

/**
 * A progress bar that has been shown for this long, or for the whole cap, is not an answer to the last input that will
 * soon be over: it may wait for people, as that of a commit does for its message.
 */
export const progressBarPatienceMs = 10_000;

/** The parts of the page that are still busy; a page that can't be asked is busy. */
export function listBusyInside(page: DomActivity | undefined, capMs: number): string[] {
  if (page === undefined) return ['dom'];
  const changing = page.quietMs < stillMs ? ['dom'] : [];
  const pausing = page.pauseMs > 0 ? ['timer'] : [];
  const shown = page.busy.filter((one) => !isLongShown(one, capMs)).map(({ what }) => what);
  return [...changing, ...pausing, ...shown];
}

/** Parts of the page that have been busy for so long that they are no longer waited for. */
export function listLastingInside(page: DomActivity | undefined, capMs: number): string[] {
  return (page?.busy ?? []).filter((one) => isLongShown(one, capMs)).map(({ what }) => what);
}

function isLongShown({ ageMs }: DomActivity['busy'][number], capMs: number): boolean {
  return ageMs >= Math.max(progressBarPatienceMs, capMs);
}

/** How long work without a sign on the screen is waited for: a server or a prompt that was started never ends. */
export const silentWorkPatienceMs = 2000;

/** Work that began a moment ago and has not ended; without an answer in time it is unknown, and counts as busy. */
function listBusyWork(work: RunningIdeWork | undefined): string[] {
  if (work === undefined) return ['extension host'];
  return work.filter(({ ageMs }) => ageMs < silentWorkPatienceMs).map(({ what }) => what);
}

function isScreenAtRest({ at, lastDamage }: OutsideLook, start: number, pointerOnly: boolean): boolean {
  if (lastDamage !== undefined && lastDamage >= start) return at - lastDamage >= stillMs;
  return at - start >= (pointerOnly ? firstDrawingMs.pointer : firstDrawingMs.keys);
}

/** Cores in use, and the share of time in which a process waited for one, over the shortest window that is long enough. */
function measureProcessorUse(
  looks: readonly OutsideLook[],
  windowMs: number,
): { cpu: number; waiting: number } | undefined {
  const now = looks.at(-1);
  const then = looks.findLast(({ at }) => now !== undefined && now.at - at >= windowMs);
  if (now === undefined || then === undefined) return undefined;
  const ms = now.at - then.at;
  return { cpu: (now.cpuMs - then.cpuMs) / ms, waiting: (now.waitMs - then.waitMs) / ms };
}
