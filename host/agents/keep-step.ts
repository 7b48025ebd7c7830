import type { Environment, Fingerprint, Observation } from '../env/index.ts';
import type { EpisodeRecord, RecordedStepInfo, Turn } from '../record/index.ts';
import type { EpisodeClock } from './clock.ts';

/** The parts of a step to record. */
export interface KeptStep {
  readonly observation: Observation;
  readonly info: RecordedStepInfo;
  readonly turn: Turn;
  /** Take a checkpoint every this many steps; undefined for no checkpoints. */
  readonly checkpointEvery: number | undefined;
}

/** Records a step and the state after it, and saves that in a checkpoint. The agent's clock does not run meanwhile. */
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
  // In parallel, so that files and editors are read closer to the end of the step.
  const [fingerprint] = await Promise.all([
    env.fingerprint({ signal }),
    record.step(observation, info, turn),
  ]);
  // A person took control before the step was over, so their acts came after the played part of it.
  if (observation.personChanges !== undefined) await recordPeople(env, record, observation);
  if (every !== undefined && step % every === 0) await save(env, record, signal);
  await recordLeft(env, record, step, fingerprint, signal);
}

/** Records the acts and changes of people, as the agent sees them. */
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
 * The screen is read last, after a checkpoint too, so that late changes are on it, as in a restored state. Parts that can't
 * be read, because the sandbox is gone, are unknown.
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
