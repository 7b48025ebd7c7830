import { PwpError } from '../../bridge/lib/index.ts';
import { grade, type Grade } from '../grade/index.ts';
import {
  defaultDisplay,
  defaultLimits,
  type Display,
  type NetworkPolicy,
  type Node,
  type Picture,
  type Refusal,
  type Sandbox,
  type SandboxSpec,
  type Usage,
  type ViewOptions,
} from '../node/index.ts';
import type { Task } from '../tasks/index.ts';
import { readActions } from './read.ts';
import { annotate } from './picture/index.ts';
import { Session, type SessionOptions } from './session.ts';
import type { Action, Observation, ResetResult, StepResult } from './types.ts';

export interface EnvironmentOptions extends SessionOptions {
  readonly node: Node;
  readonly task: Task;
  /** Screen size in pixels. Default: the task's, else 1920x1080. */
  readonly display?: Display;
  /** Steps after which `truncated` is told. Default 100. */
  readonly stepLimit?: number;
  /** Told of each connection that the sandbox was refused. */
  readonly onRefusal?: (refusal: Refusal) => void;
}

interface Running {
  readonly sandbox: Sandbox;
  readonly session: Session;
  observation: Observation;
}

/**
 * One task in one live IDE, with Gymnasium's interface: `reset`, `step`, `render`, `close`, and `grade`.
 * It owns its sandbox: a reset replaces it, close ends it.
 */
export class Environment implements AsyncDisposable {
  readonly task: Task;
  readonly #options: EnvironmentOptions;
  readonly #stepLimit: number;
  #running: Running | undefined;

  constructor(options: EnvironmentOptions) {
    this.task = options.task;
    this.#options = options;
    this.#stepLimit = options.stepLimit ?? 100;
  }

  /** Starts over in a fresh sandbox in the task's initial state. Errors: `sandbox-failed` and other `PwpError`s. */
  async reset(signal: AbortSignal): Promise<ResetResult> {
    await this.close();
    const start = performance.now();
    const { node, onRefusal } = this.#options;
    const sandbox = await node.start(await this.#spec(), signal);
    if (onRefusal) sandbox.onRefusal(onRefusal);
    try {
      await sandbox.ready(signal);
      const startMs = performance.now() - start;
      const session = new Session(sandbox, this.#options);
      await session.settle(signal);
      const observation = await session.observe(signal);
      this.#running = { sandbox, session, observation };
      const { id, instruction } = this.task;
      return [observation, { sandbox: sandbox.id, image: sandbox.image, task: id, instruction, startMs }];
    } catch (error) {
      await sandbox[Symbol.asyncDispose]();
      throw error;
    }
  }

  /**
   * Does one action or an ordered batch, waits until the IDE is at rest and observes.
   * The reward is always 0: the score comes from {@link grade}, outside the agent's reach.
   * @param actions lines (`xdotool …`, `click [12]`) or parsed actions; a line that can't be read is refused as an outcome
   */
  async step(
    actions: string | Action | readonly (string | Action)[],
    signal: AbortSignal,
  ): Promise<StepResult> {
    const running = this.#started('step');
    const { observation, info } = await running.session.step(readActions(actions), signal);
    running.observation = observation;
    return [observation, 0, false, info.step >= this.#stepLimit, info];
  }

  /** Lets go of every key and button that is down, whoever pressed it. */
  release(signal: AbortSignal): Promise<void> {
    return this.#started('release').session.release(signal);
  }

  /** The newest observation as PNG with its marks drawn in. */
  render(): Promise<Uint8Array> {
    const { screen, marks } = this.#started('render').observation;
    return annotate(screen.png, marks);
  }

  /** The screen as it is now in another format, smaller, or a part of it at full size, e.g. to read small print. */
  picture(options: ViewOptions, signal: AbortSignal): Promise<Picture> {
    return this.#started('picture').sandbox.picture(options, signal);
  }

  /** What the sandbox uses of its limits and which ones it has hit; null where none runs. */
  async usage(signal: AbortSignal): Promise<Usage | null> {
    return (await this.#running?.sandbox.usage(signal)) ?? null;
  }

  /** Scores what the agent left, in a fresh sandbox that it never touched. Errors: `grading-failed`. */
  async grade(signal: AbortSignal): Promise<Grade> {
    const { sandbox, session } = this.#started('grade');
    await session.flush(signal);
    return grade({ node: this.#options.node, sandbox, task: this.task, signal });
  }

  /** Ends the sandbox. Idempotent; `reset` may follow. */
  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.session[Symbol.dispose]();
    // Not `stop`, which would complain of a node that is gone, and the sandbox with it.
    await running?.sandbox[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #spec(): Promise<SandboxSpec> {
    const { task, display } = this.#options;
    const {
      cpus = defaultLimits.cpus,
      memory_mb: memoryMb = defaultLimits.memoryMb,
      storage_mb: diskMb = defaultLimits.diskMb,
    } = task.config.environment;
    return {
      name: task.id.replaceAll(/[^a-z0-9-]+/gi, '-'),
      role: 'ide',
      seeds: await task.seeds(),
      keep: false,
      display: display ?? task.config.pwp.display ?? defaultDisplay,
      limits: { ...defaultLimits, cpus, memoryMb, diskMb },
      network: networkOf(task),
    };
  }

  #started(operation: string): Running {
    if (this.#running) return this.#running;
    throw new PwpError('not-reset', `${operation}: there is no running sandbox`, {
      help: 'Call reset() first.',
    });
  }
}

function networkOf({ config }: Task): NetworkPolicy {
  const { network_mode: mode, allowed_hosts: hosts } = config.environment;
  return mode === 'allowlist' ? { mode, hosts } : { mode };
}
