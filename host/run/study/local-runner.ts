import { type Cancellable, neverAborted, PwpError, type PwpErrorCode } from '../../../bridge/lib/index.ts';
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
      ...(onEvent && { onEvent }),
    });
    this.#failures.check(agent.name, result);
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
