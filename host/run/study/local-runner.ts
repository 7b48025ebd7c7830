import { availableParallelism } from 'node:os';
import {
  type Cancellable,
  neverAborted,
  PwpError,
  type PwpErrorCode,
  raceSignal,
} from '../../../bridge/lib/index.ts';
import type { Node } from '../../node/index.ts';
import { chooseAgent, highestStepLimit, playsSolution } from '../agents/index.ts';
import {
  chooseSuppressedAction,
  type EpisodeEvent,
  type EpisodeResult,
  runEpisode,
  type WriteReport,
} from '../episode/index.ts';
import type { StudyConfig } from './study-config.ts';
import type { PlannedAttempt } from './study-plan.ts';

export interface AttemptOptions extends Cancellable {
  readonly onEvent?: (event: EpisodeEvent) => void;
}

export interface LocalRunnerOptions {
  readonly node: Node;
  readonly config: StudyConfig;
  /** As in `EpisodeOptions`. Default: no checkpoints. */
  readonly checkpointEvery?: number | undefined;
  /** As in `EpisodeOptions`. Default: no reports. */
  readonly writeReport?: WriteReport | undefined;
}

/** Makes attempts in this process, on one node. */
export class LocalRunner {
  readonly #node: Node;
  readonly #config: StudyConfig;
  readonly #checkpointEvery: number | undefined;
  readonly #writeReport: WriteReport | undefined;
  readonly #failures = new SharedFailureDetector();
  readonly #gate = new StartGate(Math.max(1, Math.floor(availableParallelism() / 2)));

  constructor({ node, config, checkpointEvery, writeReport }: LocalRunnerOptions) {
    this.#checkpointEvery = checkpointEvery;
    this.#writeReport = writeReport;
    this.#node = node;
    this.#config = config;
  }

  /**
   * Makes one try of an attempt, and leaves its record in the folder. Rejects if the try leaves no record of its end, when
   * the signal fires, and with a `SharedFailure` if all other attempts would fail for the same reason.
   */
  async run(
    { task, agent, folder: place }: PlannedAttempt,
    folder: string,
    { signal = neverAborted, onEvent }: AttemptOptions,
  ): Promise<void> {
    const { max_steps, max_tokens, max_cost, display = task.config.pwp.display, cold, video } = this.#config;
    const { suppress, seed } = this.#config;
    using starting = await this.#gate.enter(task.id, signal);
    const result = await runEpisode({
      ...{ node: this.#node, task, folder, cold, video, signal },
      agent: await chooseAgent(agent.choice, task),
      // A solution is played whole, so that it is the upper bound for each limit.
      stepLimit: playsSolution(agent.choice.name) ? highestStepLimit : max_steps,
      checkpointEvery: this.#checkpointEvery,
      writeReport: this.#writeReport,
      ...(display && { display }),
      ...(suppress !== undefined && { suppress: chooseSuppressedAction(suppress, `${seed} ${place}`) }),
      ...(max_tokens !== undefined && { tokenLimit: max_tokens }),
      ...(max_cost !== undefined && { costLimit: max_cost }),
      onEvent: (event) => {
        // The first event of any kind: the episode runs, or it has failed.
        starting[Symbol.dispose]();
        onEvent?.(event);
      },
    });
    this.#failures.check(agent.name, result);
  }
}

/**
 * Lets a few sandboxes start at a time: a burst of starts takes longer in total, and slows those that already work. The
 * first one of a task boots an IDE that the others restore, so they wait for it.
 */
export class StartGate {
  readonly #width: number;
  readonly #starting = new Set<string>();
  readonly #booted = new Set<string>();
  #under = 0;
  #opened = Promise.withResolvers<void>();

  /** @param width maximum number of starts at once */
  constructor(width: number) {
    this.#width = width;
  }

  /** Waits for a turn, which ends when the result is disposed. Disposing it twice does no harm. */
  async enter(task: string, signal: AbortSignal): Promise<Disposable> {
    while (this.#under >= this.#width || this.#starting.has(task)) {
      await raceSignal(this.#opened.promise, signal);
    }
    const isFirst = !this.#booted.has(task);
    this.#under += 1;
    if (isFirst) this.#starting.add(task);
    let left = false;
    return {
      [Symbol.dispose]: () => {
        if (left) return;
        left = true;
        this.#leave(task);
      },
    };
  }

  #leave(task: string): void {
    this.#under -= 1;
    this.#starting.delete(task);
    this.#booted.add(task);
    const { resolve } = this.#opened;
    this.#opened = Promise.withResolvers<void>();
    resolve();
  }
}

/** All attempts with the same model would fail with these errors. */
const sharedCodes: readonly PwpErrorCode[] = [
  'model-denied',
  'model-key-missing',
  'model-no-credit',
  'model-redirected',
  'no-such-model',
];
/** The number of consecutive attempts of one agent without any answer of its model. */
const mostUnansweredAttempts = 3;

/** Stops a study: the cause of this attempt's end would end all others of the agent. */
export class SharedFailure extends PwpError {}

/** Detects attempts that ended because the model can't be asked. */
export class SharedFailureDetector {
  readonly #unanswered = new Map<string, number>();

  /** @param agent its name in the study. Errors: {@link SharedFailure}. */
  check(agent: string, { end, code, error, steps }: EpisodeResult): void {
    if (end !== 'model-failed') {
      this.#unanswered.delete(agent);
      return;
    }
    const why = error ?? 'its model could not be asked';
    if (sharedCodes.some((one) => one === code)) throw makeSharedFailure(agent, why, code);
    const count = steps > 0 ? 0 : (this.#unanswered.get(agent) ?? 0) + 1;
    this.#unanswered.set(agent, count);
    if (count >= mostUnansweredAttempts)
      throw makeSharedFailure(agent, `${count} attempts in a row without an answer: ${why}`, code);
  }
}

function makeSharedFailure(agent: string, why: string, code: PwpErrorCode | null): SharedFailure {
  return new SharedFailure(
    code ?? 'model-unavailable',
    `the study stops, no attempt of ${agent} can succeed: ${why}`,
    {
      help: 'Once that is fixed, run the same command again to continue.',
    },
  );
}
