import * as z from 'zod';
import { usage, type Usage } from '../../bridge/protocol/index.ts';

export const recordedUsage = usage;
export type RecordedUsage = Usage;

/** A limit of the sandbox. */
export const limitName = z.enum(['cpu', 'memory', 'pids', 'disk']);
export type LimitName = z.output<typeof limitName>;

const names = limitName.options;

/**
 * The limits that were hit between two readings. The limit of cores is left out: it works by throttling, and the usage
 * shows for how long.
 */
export function newlyHit(before: RecordedUsage | null, now: RecordedUsage): LimitName[] {
  return names.filter((name) => name !== 'cpu' && now.hits[name] > (before?.hits[name] ?? 0));
}

/** The limits that were hit at all. */
export function everHit({ hits }: RecordedUsage): LimitName[] {
  return names.filter((name) => hits[name] > 0);
}
