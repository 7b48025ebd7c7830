import { pause } from '../../bridge/lib/index.ts';
import type { QueuedAttempt, WorkedTry } from '../../host/run/index.ts';
import { writeTry } from '../lib/queued-tries.ts';

/** Attempts that are not played; processes have them from their environment. */
export interface Simulated {
  /** Their mean length in milliseconds. */
  readonly ms: number;
  /** How far they differ from it, as a share of it. */
  readonly spread: number;
  /** The share of tries that fail, after which the study makes another. */
  readonly failing: number;
}

const variable = 'PWP_BENCH_SIMULATED';

export function simulatedEnv(simulated: Simulated): NodeJS.ProcessEnv {
  return { [variable]: JSON.stringify(simulated) };
}

/** Takes its time, and leaves a record unless it fails. */
export async function simulateTry(
  attempt: QueuedAttempt,
  folder: string,
  signal: AbortSignal,
  { ms, spread, failing }: Simulated = JSON.parse(process.env[variable] ?? '') as Simulated,
): Promise<WorkedTry> {
  const length = ms * (1 + spread * (2 * Math.random() - 1));
  if (length > 0) await pause(length, signal);
  if (Math.random() < failing) return { failure: 'a simulated failure', shared: null };
  await writeTry(attempt, folder);
  return { failure: null, shared: null };
}
