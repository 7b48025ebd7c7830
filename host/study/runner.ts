import { availableParallelism } from 'node:os';
import { neverAborted, type Cancellable } from '../../bridge/lib/index.ts';
import {
  chooseAgent,
  mostSteps,
  playsSolution,
  runEpisode,
  suppressedAction,
  type EpisodeEvent,
  type WriteReport,
} from '../agents/index.ts';
import type { Node } from '../node/index.ts';
import type { StudyConfig } from './config.ts';
import type { PlannedAttempt } from './plan.ts';
import { SharedFailures } from './shared-failure.ts';
import { StartGate } from './start-gate.ts';

/** Makes one try of an attempt, and leaves its record in a folder. */
export interface AttemptRunner {
  /**
   * Rejects if the try leaves no record of its end, when the signal fires, and with a `SharedFailure` if all other attempts
   * would fail for the same reason.
   */
  run(attempt: PlannedAttempt, folder: string, options: AttemptOptions): Promise<void>;
}

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
export class LocalRunner implements AttemptRunner {
  readonly #node: Node;
  readonly #config: StudyConfig;
  readonly #checkpointEvery: number | undefined;
  readonly #writeReport: WriteReport | undefined;
  readonly #failures = new SharedFailures();
  readonly #gate = new StartGate(Math.max(1, Math.floor(availableParallelism() / 2)));

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
  ): Promise<void> {
    const { max_steps, max_tokens, max_cost, display = task.config.pwp.display, cold, video } = this.#config;
    const { suppress, seed } = this.#config;
    using starting = await this.#gate.enter(task.id, signal);
    const result = await runEpisode({
      ...{ node: this.#node, task, folder, cold, video, signal },
      agent: await chooseAgent(agent.choice, task),
      // A solution is played whole, so that it is the upper bound for each limit.
      stepLimit: playsSolution(agent.choice.name) ? mostSteps : max_steps,
      checkpointEvery: this.#checkpointEvery,
      writeReport: this.#writeReport,
      ...(display && { display }),
      ...(suppress !== undefined && { suppress: suppressedAction(suppress, `${seed} ${place}`) }),
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
