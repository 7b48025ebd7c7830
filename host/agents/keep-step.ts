import type { Environment } from '../env/index.ts';
import type { EpisodeRecord } from '../record/index.ts';
import type { EpisodeClock } from './clock.ts';

/** Records what a step has left, and saves it in a checkpoint after each `every` steps. None of it is the agent's time. */
export async function keepStep(
  env: Environment,
  record: EpisodeRecord,
  step: number,
  every: number | undefined,
  time: EpisodeClock,
): Promise<void> {
  using held = time.hold();
  void held;
  await recordState(env, record, step, time.signal);
  if (every === undefined || step % every !== 0) return;
  try {
    await record.checkpoint(await env.checkpoint({ signal: time.signal }));
  } catch (error) {
    time.signal.throwIfAborted();
    // The episode is worth more than a way back into it.
    await record.error(error);
  }
}

/** What can't be read, since the sandbox is gone or a person has it for themselves, is recorded as not known. */
export async function recordState(
  env: Environment,
  record: EpisodeRecord,
  step: number,
  signal: AbortSignal,
): Promise<void> {
  const fingerprint = await env.fingerprint({ signal });
  const screen = await env.picture({ signal }).catch(() => null);
  signal.throwIfAborted();
  await record.state(step, fingerprint, screen?.bytes ?? null);
}
