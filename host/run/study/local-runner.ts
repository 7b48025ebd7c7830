import { type Cancellable, neverAborted, PwpError, type PwpErrorCode } from '../../../bridge/lib/index.ts';
import { defaultDisplay, type Display, type Node } from '../../node/index.ts';
import type { Task } from '../../tasks/index.ts';
import { chooseAgent } from '../agents/index.ts';
import {
  chooseSuppressedAction,
  type EpisodeEvent,
  type EpisodeOptions,
  type EpisodeResult,
  runEpisode,
  type WriteReport,
} from '../episode/index.ts';
import type { attemptSettings, limitSettings, StudyConfig } from './study-config.ts';
import type { PlannedAttempt } from './study-plan.ts';

export interface AttemptOptions extends Cancellable {
  readonly onEvent?: (event: EpisodeEvent) => void;
  /** Called when a try begins to wait for a worker, and when one has it. Default: tries never wait. */
  readonly onWait?: (waits: boolean) => void;
}

/** What a runner says about a try that it made. */
export interface RunnerOutcome {
  /** The number of tries before it whose workers were lost. Their folders are numbered from the given one on. */
  readonly lost: number;
  /** Why the try left no record of its end; null if it left one. */
  readonly failure: string | null;
}

/** Makes the attempts of a study. */
export interface AttemptRunner {
  /**
   * Makes one try of an attempt, and leaves its record in the folder, or in the one after those of lost tries. Rejects if
   * the try leaves no record of its end, when the signal fires, and with a {@link SharedFailure} if all other attempts
   * would fail for the same reason.
   */
  run(attempt: PlannedAttempt, folder: string, options: AttemptOptions): Promise<RunnerOutcome>;
  /** Whether a try that an earlier process began goes on. Default: none does. */
  isUnderWay?(attempt: PlannedAttempt, name: string, options: Cancellable): Promise<boolean>;
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
export class LocalRunner implements AttemptRunner {
  readonly #node: Node;
  readonly #config: StudyConfig;
  readonly #checkpointEvery: number | undefined;
  readonly #writeReport: WriteReport | undefined;
  readonly #failures = new SharedFailureDetector();

  constructor({ node, config, checkpointEvery, writeReport }: LocalRunnerOptions) {
    this.#checkpointEvery = checkpointEvery;
    this.#writeReport = writeReport;
    this.#node = node;
    this.#config = config;
  }

  async run(
    { task, agent, folder: place }: PlannedAttempt,
    folder: string,
    { signal = neverAborted, onEvent }: AttemptOptions,
  ): Promise<RunnerOutcome> {
    const chosen = await chooseAgent(agent, task);
    const result = await runEpisode({
      ...toEpisodeOptions(this.#config, task, place),
      ...{ node: this.#node, task, agent: chosen, folder, signal },
      // A solution is played whole, so that it is the upper bound for each limit.
      ...(chosen.isScript && { maxSteps: undefined }),
      checkpointEvery: this.#checkpointEvery,
      writeReport: this.#writeReport,
      ...(onEvent && { onEvent }),
    });
    this.#failures.check(agent.name, result);
    return { lost: 0, failure: null };
  }
}

/** The settings of a study that an episode has by the same name, apart from the sound, which is its display's. */
type EpisodeSetting = keyof typeof limitSettings.shape | Exclude<keyof typeof attemptSettings.shape, 'audio'>;

/** @param place seeds the choice of an action to suppress */
function toEpisodeOptions(
  config: StudyConfig,
  task: Task,
  place: string,
): Required<Pick<EpisodeOptions, EpisodeSetting>> {
  const { maxSteps, maxTokens, maxCost, image, cold, video, suppress } = config;
  return {
    ...{ maxSteps, maxTokens, maxCost, image, cold, video },
    display: chooseDisplay(config, task.config.pwp.display),
    suppress:
      suppress === undefined ? undefined : chooseSuppressedAction(suppress, `${config.seed} ${place}`),
  };
}

/** The display of a task, with what a study sets in place of its own. */
export function chooseDisplay(
  { display, audio }: Pick<StudyConfig, 'display' | 'audio'>,
  own: Display = defaultDisplay,
): Display {
  const sound = audio ?? own.audio;
  return { ...(display ?? own), ...(sound !== undefined && { audio: sound }) };
}

/** All attempts with the same model would fail with these errors. */
const sharedCodes: readonly PwpErrorCode[] = [
  'model-denied',
  'model-key-missing',
  'model-no-credit',
  'model-redirected',
  'no-such-model',
];
/** Whether all attempts of an agent would fail with an error. */
export function isSharedError(error: unknown): error is PwpError {
  return error instanceof PwpError && sharedCodes.includes(error.code);
}

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
