import type { DomActivity, ResultOf, ide } from '../../../../bridge/protocol/index.ts';
import type { SettleOptions } from '../../node.ts';

/** One look from outside the sandbox: it costs the sandbox nothing. Times are `performance.now()` in milliseconds. */
export interface Look {
  readonly at: number;
  /** When something was last drawn; undefined when nothing was. */
  readonly lastDamage: number | undefined;
  /** CPU time that all of the sandbox's processes have used so far. */
  readonly cpuMs: number;
  /** How long some of them have waited for a processor so far. */
  readonly waitMs: number;
}

/** The activity in the IDE, as the extension reports it. */
export type Work = ResultOf<typeof ide.work>['running'];

/** How long the screen and the DOM must have been still. */
export const quietMs = 100;
/** Without any drawing yet: how long an answer to keys and clicks may take, and one to pointer motion. */
export const graceMs = { keys: 250, pointer: 600 } as const;
/** CPU use below which the processes are at rest: this share of one core, over at least this long. */
export const cpuRest = { share: 0.15, windowMs: 150 } as const;
/** Ticks of 10 ms of some programs are a small part of this window. */
export const coarseMs = 300;
/**
 * On a busy machine processes that have work to do may get no processor, and look idle. They are not at rest while one of
 * them waits for this share of the window or more; an IDE at rest waits for a tenth of it beside a load of three per core.
 */
export const waitShare = 0.5;

/**
 * The parts that are still busy as seen from outside, after the looks so far, the newest last: empty when all is at
 * rest.
 * @param start when settling began
 */
export function busyOutside(
  looks: readonly Look[],
  start: number,
  options: Pick<SettleOptions, 'pointerOnly'> & {
    /** The processor time of some programs is left out, which the kernel counts in ticks. */
    readonly coarse?: boolean;
  },
): string[] {
  const now = looks.at(-1);
  if (now === undefined) return ['screen'];
  const busy: string[] = [];
  if (!screenAtRest(now, start, options.pointerOnly)) busy.push('screen');
  const used = processorUse(looks, options.coarse === true ? coarseMs : cpuRest.windowMs);
  if (used === undefined) busy.push('cpu');
  else if (used.cpu >= cpuRest.share) busy.push(`cpu ${Math.round(used.cpu * 100)} %`);
  else if (used.waiting >= waitShare) busy.push('waits for a cpu');
  return busy;
}

/**
 * A progress bar that has been shown for this long, or for the whole cap, is not an answer to the last input that will
 * soon be over: it may wait for people, as that of a commit does for its message.
 */
export const barPatienceMs = 10_000;

/** The parts of the page that are still busy; a page that can't be asked is busy. */
export function busyInside(page: DomActivity | undefined, capMs: number): string[] {
  if (page === undefined) return ['dom'];
  const changing = page.quietMs < quietMs ? ['dom'] : [];
  const pausing = page.pauseMs > 0 ? ['timer'] : [];
  const shown = page.busy.filter((one) => !isLasting(one, capMs)).map(({ what }) => what);
  return [...changing, ...pausing, ...shown];
}

/** Parts of the page that have been busy for so long that they are no longer waited for. */
export function lastingInside(page: DomActivity | undefined, capMs: number): string[] {
  return (page?.busy ?? []).filter((one) => isLasting(one, capMs)).map(({ what }) => what);
}

function isLasting({ ageMs }: DomActivity['busy'][number], capMs: number): boolean {
  return ageMs >= Math.max(barPatienceMs, capMs);
}

/** How long work without a sign on the screen is waited for: a server or a prompt that was started never ends. */
export const patienceMs = 2000;

/** Work that began a moment ago and has not ended; without an answer in time it is unknown, and counts as busy. */
export function busyWork(work: Work | undefined): string[] {
  if (work === undefined) return ['extension host'];
  return work.filter(({ ageMs }) => ageMs < patienceMs).map(({ what }) => what);
}

function screenAtRest({ at, lastDamage }: Look, start: number, pointerOnly: boolean): boolean {
  if (lastDamage !== undefined && lastDamage >= start) return at - lastDamage >= quietMs;
  return at - start >= (pointerOnly ? graceMs.pointer : graceMs.keys);
}

/** Cores in use, and the share of time in which a process waited for one, over the shortest window that is long enough. */
function processorUse(
  looks: readonly Look[],
  windowMs: number,
): { cpu: number; waiting: number } | undefined {
  const now = looks.at(-1);
  const then = looks.findLast(({ at }) => now !== undefined && now.at - at >= windowMs);
  if (now === undefined || then === undefined) return undefined;
  const ms = now.at - then.at;
  return { cpu: (now.cpuMs - then.cpuMs) / ms, waiting: (now.waitMs - then.waitMs) / ms };
}
