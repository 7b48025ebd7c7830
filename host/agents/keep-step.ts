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
  const { signal } = time;
  // At once: files and editors are read while the observation is written, and are nearer to the end of the step then.
  const [fingerprint] = await Promise.all([
    env.fingerprint({ signal }),
    record.step(observation, info, turn),
  ]);
  // A person had control before the step was over, and what they did came after what was played of it.
  if (observation.personChanges !== undefined) await recordPeople(env, record, observation);
  if (every !== undefined && step % every === 0) await save(env, record, signal);
  await recordLeft(env, record, step, fingerprint, signal);
}

/** What people have done and changed, as the agent sees it. */
export async function recordPeople(
  env: Environment,
  record: EpisodeRecord,
  observation: Observation,
): Promise<void> {
  await record.people(observation, env.takePersonActs());
}

async function save(env: Environment, record: EpisodeRecord, signal: AbortSignal): Promise<void> {
  try {
    await record.checkpoint(await env.checkpoint({ signal }));
  } catch (error) {
    signal.throwIfAborted();
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
  await recordLeft(env, record, step, await env.fingerprint({ signal }), signal);
}

/**
 * The screen comes last, after a checkpoint too: what is late is on it, and in what is restored. What can't be read, as the
 * sandbox is gone, is not known.
 */
async function recordLeft(
  env: Environment,
  record: EpisodeRecord,
  step: number,
  fingerprint: Fingerprint,
  signal: AbortSignal,
): Promise<void> {
  const screen = await env.picture({ signal }).catch(() => null);
  signal.throwIfAborted();
  await record.state(step, fingerprint, screen?.bytes ?? null);
}
