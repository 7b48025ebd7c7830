import type { Environment, Fingerprint, Observation } from '../env/index.ts';
import type { EpisodeRecord, RecordedStepInfo, Turn } from '../record/index.ts';
import type { EpisodeClock } from './clock.ts';

/** What is kept of a step. */
export interface KeptStep {
  readonly observation: Observation;
  readonly info: RecordedStepInfo;
  readonly turn: Turn;
  /** A checkpoint is taken after each of so many steps; undefined for none. */
  readonly checkpointEvery: number | undefined;
}

/** Records a step and what it has left, and saves that in a checkpoint. None of it is the agent's time. */
export async function keepStep(
  env: Environment,
  record: EpisodeRecord,
  { observation, info, turn, checkpointEvery: every }: KeptStep,
  time: EpisodeClock,
): Promise<void> {
  using held = time.hold();
  void held;
  const { step } = info;
  // At once: what is left is read while the observation is written, and is nearer to the end of the step then.
  const [left] = await Promise.all([leftBy(env, time.signal), record.step(observation, info, turn)]);
  await record.state(step, left.fingerprint, left.screen);
  if (every === undefined || step % every !== 0) return;
  try {
    await record.checkpoint(await env.checkpoint({ signal: time.signal }));
  } catch (error) {
    time.signal.throwIfAborted();
    // The episode is worth more than a way back into it.
    await record.error(error);
  }
}

export async function recordState(
  env: Environment,
  record: EpisodeRecord,
  step: number,
  signal: AbortSignal,
): Promise<void> {
  const { fingerprint, screen } = await leftBy(env, signal);
  await record.state(step, fingerprint, screen);
}

/** What can't be read, since the sandbox is gone or a person has it for themselves, is not known. */
async function leftBy(
  env: Environment,
  signal: AbortSignal,
): Promise<{ readonly fingerprint: Fingerprint; readonly screen: Uint8Array | null }> {
  const [fingerprint, screen] = await Promise.all([
    env.fingerprint({ signal }),
    env.picture({ signal }).catch(() => null),
  ]);
  signal.throwIfAborted();
  return { fingerprint, screen: screen?.bytes ?? null };
}
