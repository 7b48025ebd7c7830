import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Fingerprint, Observation } from '../../ide/index.ts';
import { programVersion } from '../../lib/index.ts';
import type { ViewOptions } from '../../node/index.ts';
import type { Task } from '../../tasks/index.ts';
import type { Agent } from '../agents/index.ts';
import type { Environment } from '../environment/index.ts';
import {
  type EpisodeRecord,
  type RecordedStepInfo,
  type RecordedTurn,
  recordFiles,
  type RecordMeta,
  startVideo,
} from '../record/index.ts';
import type { EpisodeClock } from './episode-limits.ts';

/** The start of an episode that branches off another. */
export interface Branch {
  readonly checkpoint: string;
  /** The episode that it branches off, and after which of its steps. */
  readonly session: string;
  readonly step: number;
  /** Whether a replay found the state there to be the recorded one; absent if it is the episode itself. */
  readonly replayed?: 'same' | 'apart' | 'not-compared';
  /** For people: how that state was reached. */
  readonly notes: readonly string[];
}

interface EpisodeParts {
  readonly task: Task;
  readonly agent: Agent;
  readonly branch?: Branch | undefined;
}

/** Everything that is known about an episode before it begins. */
export function describeEpisode({ task, agent, branch }: EpisodeParts): RecordMeta {
  return {
    session: randomUUID(),
    task: task.id,
    seed: task.seed,
    agent: { name: agent.name, version: programVersion, ...agent.about, view: describeView(agent.view) },
    versions: { pwp: programVersion, node: process.versions.node },
    ...(branch && { forkedFrom: describeBranch(branch) }),
  };
}

function describeBranch({ session, checkpoint, step, replayed }: Branch) {
  return { session, checkpoint, step, ...(replayed && { replayed }) };
}

/** Null for the screen itself: a picture of another size or part has other coordinates. */
function describeView({ within, region }: ViewOptions = {}) {
  return within || region ? { ...(within && { within }), ...(region && { region }) } : null;
}

/** The parts of a step to record. */
interface StepToRecord {
  readonly observation: Observation;
  readonly info: RecordedStepInfo;
  readonly turn: RecordedTurn;
  /** Take a checkpoint every this many steps; undefined for no checkpoints. */
  readonly checkpointEvery: number | undefined;
}

/** Records a step and the state after it, and saves that in a checkpoint. The agent's clock does not run meanwhile. */
export async function recordStep(
  env: Environment,
  record: EpisodeRecord,
  { observation, info, turn, checkpointEvery: every }: StepToRecord,
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
  if (every !== undefined && step % every === 0) await recordCheckpoint(env, record, signal);
  await recordStateLeft(env, record, step, fingerprint, signal);
}

/** Records the acts and changes of people, as the agent sees them. */
export async function recordPeople(
  env: Environment,
  record: EpisodeRecord,
  observation: Observation,
): Promise<void> {
  await record.people(observation, env.takePersonActs());
}

async function recordCheckpoint(env: Environment, record: EpisodeRecord, signal: AbortSignal): Promise<void> {
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
  await recordStateLeft(env, record, step, await env.fingerprint({ signal }), signal);
}

/**
 * The screen is read last, after a checkpoint too, so that late changes are on it, as in a restored state. Parts that can't
 * be read, because the sandbox is gone, are unknown.
 */
async function recordStateLeft(
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

/** The longest that reading the kernel's counts may take, in milliseconds. */
const usageTimeoutMs = 5000;

/**
 * Records the sandbox's usage if a limit was hit since the last call, or `always`. Leaves out what can't be read, because
 * the sandbox is gone: an episode never fails for it.
 */
export async function recordSandboxUsage(
  env: Environment,
  record: EpisodeRecord,
  always = false,
): Promise<void> {
  const usage = await env.usage({ signal: AbortSignal.timeout(usageTimeoutMs) }).catch(() => null);
  if (usage) await record.usage(usage, always);
}

/** Films an episode's screen into its record until it is disposed. Errors: `command-missing`. */
export async function filmEpisode(env: Environment, record: EpisodeRecord): Promise<AsyncDisposable> {
  const video = await startVideo({
    path: join(record.folder, recordFiles.video),
    take: (options, signal) => env.picture({ ...options, signal }),
    ...(env.hasSound && { sound: (options) => env.sound(options) }),
  });
  return { [Symbol.asyncDispose]: async () => record.video(await video.finish()) };
}

/** Writes events besides the steps into a record as they happen, in parallel to the rest of the episode. */
export class BackgroundWriter<T> {
  readonly #write: (note: T) => Promise<void>;
  readonly #writes: Promise<void>[] = [];
  #over = false;

  constructor(write: (note: T) => Promise<void>) {
    this.#write = write;
  }

  readonly add = (note: T): void => {
    if (this.#over) return;
    const write = this.#write(note);
    // `finish` reports the error.
    write.catch(() => undefined);
    this.#writes.push(write);
  };

  /** Accepts no further notes, and resolves when all are written. */
  async finish(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#writes);
  }
}
