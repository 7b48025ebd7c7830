import { murders } from './queue/murders.ts';
import { overhead } from './queue/overhead.ts';
import { simulation } from './queue/simulation.ts';

export interface QueueBenchOptions {
  /** `overhead`, `simulation`, `murders`; empty: all. */
  readonly parts: readonly string[];
  /** Worker processes of the simulation. */
  readonly workers: number;
  /** Attempts that each of them makes at a time. */
  readonly parallel: number;
  /** Mean length of an attempt of the simulation, in milliseconds. */
  readonly ms: number;
  /** Of the simulation, and of each study with murders. */
  readonly attempts: number;
  /** Of the murders. */
  readonly seed: number;
}

/**
 * Studies over a queue, by real workers whose attempts are not played: what the queue adds to an attempt, how many
 * workers and attempts one server bears, and whether results stay whole while parts of all kinds are killed.
 */
export async function queue(signal: AbortSignal, options: QueueBenchOptions): Promise<void> {
  const { parts } = options;
  const runs = { overhead, simulation, murders };
  for (const [name, run] of Object.entries(runs))
    if (parts.length === 0 || parts.includes(name)) await run(signal, options);
}
