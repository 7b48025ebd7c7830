import { join } from 'node:path';
import type { Fingerprint, Observation, StepInfo } from '../../ide/index.ts';
import type { Environment } from '../environment/index.ts';
import { type EpisodeRecord, type RecordedTurn, recordFiles, startVideo } from '../record/index.ts';

/** The longest that reading the kernel's counts may take, in milliseconds. */
const usageTimeoutMs = 5000;

/** What a recorder reads. */
type ReadEnvironment = Pick<
  Environment,
  | 'fingerprint'
  | 'takePersonActs'
  | 'takeServices'
  | 'usage'
  | 'checkpoint'
  | 'picture'
  | 'sound'
  | 'hasSound'
>;

/** Reads from the IDE what belongs into the record of an episode. */
export class EpisodeRecorder {
  readonly record: EpisodeRecord;
  readonly #env: ReadEnvironment;
  readonly #checkpointEvery: number;
  #steps = 0;

  /** @param checkpointEvery take a checkpoint every this many steps; default: no checkpoints */
  constructor(env: ReadEnvironment, record: EpisodeRecord, checkpointEvery = Infinity) {
    this.#env = env;
    this.record = record;
    this.#checkpointEvery = checkpointEvery;
  }

  /** The number of steps so far. */
  get steps(): number {
    return this.#steps;
  }

  /** A step and the state after it, and the limits that it hit; saves that state if it is time for a checkpoint. */
  async step(
    observation: Observation,
    info: StepInfo,
    turn: RecordedTurn,
    signal: AbortSignal,
  ): Promise<void> {
    const { step } = info;
    this.#steps = step;
    // In parallel, so that files and editors are read closer to the end of the step.
    const [fingerprint] = await Promise.all([
      this.#env.fingerprint({ signal }),
      this.record.step(observation, info, turn),
    ]);
    // A person took control before the step was over, so their acts came after the played part of it.
    if (observation.personChanges !== undefined) await this.people(observation);
    if (step % this.#checkpointEvery === 0) await this.#checkpoint(signal);
    await this.#stateLeft(step, fingerprint, signal);
    await this.usage();
  }

  /** The acts and changes of people, as the agent sees them. */
  async people(observation: Observation): Promise<void> {
    await this.record.people(observation, this.#env.takePersonActs());
  }

  /** The state after a step, `0` for the start. */
  async state(step: number, signal: AbortSignal): Promise<void> {
    await this.#stateLeft(step, await this.#env.fingerprint({ signal }), signal);
  }

  /**
   * The sandbox's usage if a limit was hit since the last call, or `always`. Leaves out what can't be read, because the
   * sandbox is gone: an episode never fails for it.
   */
  async usage(always = false): Promise<void> {
    const signal = AbortSignal.timeout(usageTimeoutMs);
    const usage = await this.#env.usage({ signal }).catch(() => null);
    if (usage) await this.record.usage(usage, always);
  }

  /** Parts of the desktop that died or came back since the last step. */
  async services(): Promise<void> {
    for (const service of this.#env.takeServices()) await this.record.service(service);
  }

  /** Films the screen until it is disposed. Errors: `command-missing`. */
  async film(): Promise<AsyncDisposable> {
    const env = this.#env;
    const video = await startVideo({
      path: join(this.record.folder, recordFiles.video),
      take: (options, signal) => env.picture({ ...options, signal }),
      ...(env.hasSound && { sound: (options) => env.sound(options) }),
    });
    return { [Symbol.asyncDispose]: async () => this.record.video(await video.finish()) };
  }

  async #checkpoint(signal: AbortSignal): Promise<void> {
    try {
      await this.record.checkpoint(await this.#env.checkpoint({ signal }));
    } catch (error) {
      signal.throwIfAborted();
      // The episode is worth more than a way back into it.
      await this.record.error(error);
    }
  }

  /**
   * The screen is read last, after a checkpoint too, so that late changes are on it, as in a restored state. Parts that
   * can't be read, because the sandbox is gone, are unknown.
   */
  async #stateLeft(step: number, fingerprint: Fingerprint, signal: AbortSignal): Promise<void> {
    const screen = await this.#env.picture({ signal }).catch(() => null);
    signal.throwIfAborted();
    await this.record.state(step, fingerprint, screen?.bytes ?? null);
  }
}

/** Writes events besides the steps into a record as they happen, in parallel to the rest of the episode. */
export class BackgroundWrites {
  readonly #writes: Promise<void>[] = [];
  #over = false;

  add(write: () => Promise<void>): void {
    if (this.#over) return;
    const writing = write();
    // `finish` reports the error.
    writing.catch(() => undefined);
    this.#writes.push(writing);
  }

  /** Accepts no further events, and resolves when all are written. */
  async finish(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#writes);
  }
}
