import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import { defaultWorkspace, type DomNumbers } from '../../../bridge/protocol/index.ts';
import {
  type Actions,
  type Checkpoint,
  type ForkOrigin,
  isOutOfTurn,
  type ResetResult,
  type RestoreResult,
  type StepOptions,
  type StepResult,
} from '../../ide/index.ts';
import { type AgentRootInfo, type CheckpointOptions, type Sandbox, toSandboxName } from '../../node/index.ts';
import {
  chooseImage,
  enterImage,
  folderTask,
  grade,
  type Grade,
  type Task,
  withVariant,
} from '../../tasks/index.ts';
import { CurrentSandbox, type RunningSandbox } from './current-sandbox.ts';
import {
  defaultMaxSteps,
  type EnvironmentForkOptions,
  type EnvironmentGradeOptions,
  type EnvironmentOpenOptions,
  type EnvironmentOptions,
  makeSandboxSpec,
  type ResumeOptions,
  whyUnwritten,
} from './environment-options.ts';
import { type EnvironmentCheckpoints, EpisodeCheckpoints, makeAllOrDispose } from './episode-checkpoints.ts';
import { SandboxStarter } from './golden-start.ts';
import { IdeAccess } from './ide-access.ts';

/**
 * One task in one live IDE, with Gymnasium's interface: `reset`, `step`, `render`, `close`, and `grade`; and beyond it
 * `checkpoint`, `restore` and `fork`. It owns its sandbox: a reset replaces it, close ends it.
 */
export class Environment extends IdeAccess implements AsyncDisposable {
  /** As {@link EnvironmentOptions.maxSteps}. */
  readonly maxSteps: number;
  /** Its origin in another environment; null if it has not branched off, and after a reset. */
  origin: ForkOrigin | null = null;
  /** The node's checkpoints, with the steps of this episode. */
  readonly checkpoints: EnvironmentCheckpoints;
  readonly #checkpoints: EpisodeCheckpoints;
  readonly #options: EnvironmentOptions;
  readonly #starter: SandboxStarter;
  #task: Task;
  /** The task is a folder alone. */
  #onFolder = false;

  constructor(options: EnvironmentOptions) {
    super(new CurrentSandbox(options));
    const { node, task, maxSteps = defaultMaxSteps, cold = false, warm = 0 } = options;
    this.#task = task;
    this.#checkpoints = new EpisodeCheckpoints(node);
    this.checkpoints = this.#checkpoints;
    this.#options = options;
    this.maxSteps = maxSteps;
    this.#starter = new SandboxStarter({
      node,
      cold,
      warm,
      bootMs: task.config.environment.build_timeout_sec * 1000,
      setup: task.config.pwp.setup,
    });
  }

  /** Its task, with its variant after the first reset. */
  get task(): Task {
    return this.#task;
  }

  /**
   * An IDE on a copy of a folder, without a task: reset already, and without a score. Dispose it to end the sandbox.
   * Leaves out paths in `.gitignore` and `.pwpignore` and files that look like a password or a key, unless requested.
   * Errors: `no-such-folder`, and those of {@link reset}.
   */
  static async open(
    folder: string,
    { signal = neverAborted, ...options }: EnvironmentOpenOptions & Cancellable,
  ): Promise<Environment> {
    const task = await folderTask(folder, options);
    const env = new Environment({ workspace: defaultWorkspace, ...options, task });
    env.#onFolder = true;
    try {
      await env.reset({ signal });
      return env;
    } catch (error) {
      await env.close();
      throw error;
    }
  }

  /**
   * Starts over in a fresh sandbox in the task's initial state: restored from the task's golden checkpoint, or booted
   * if that does not exist yet. Errors: `sandbox-failed` and other `PwpError`s.
   */
  async reset({ signal = neverAborted }: Cancellable = {}): Promise<ResetResult> {
    await this.current.end();
    this.origin = null;
    this.#checkpoints.clear();
    await this.#makeTask(signal);
    const root = await this.#findRoot(signal);
    if (root)
      this.#task = await enterImage(this.#task, { node: this.#options.node, root: root.image, signal });
    const spec = await makeSandboxSpec(this.task, { ...this.#options, root });
    const started = await (this.#onFolder
      ? this.#starter.startOnFolder(spec, signal)
      : this.#starter.start(spec, signal));
    const began = await this.current.begin(started, this.task, async (session) => {
      await session.settle({ signal });
      return { startMs: started.startMs, observation: await session.observe({ signal }) };
    });
    if (started.checkpoint !== null) this.#checkpoints.note(started.checkpoint, 0);
    return began;
  }

  async #findRoot(signal: AbortSignal): Promise<AgentRootInfo | null> {
    const image = chooseImage(this.task, this.#options.image);
    return image === undefined ? null : this.#options.node.agentRoot(image, { signal });
  }

  /** A sandbox that was not started for this episode: its image was looked at when it was. */
  #followSandbox({ root }: Pick<Sandbox, 'root'>): void {
    if (root !== null) this.#task = this.#task.inImage ?? this.#task;
  }

  /**
   * Works in a running sandbox, as it is now, in place of a fresh one. It keeps running when this environment is closed.
   * Waits while a person has control. Errors: those of `Node.open`.
   */
  async join(id: string, { signal = neverAborted }: Cancellable = {}): Promise<ResetResult> {
    await this.current.end();
    this.origin = null;
    this.#checkpoints.clear();
    const start = performance.now();
    const sandbox = await this.#options.node.open(id, { signal });
    this.#followSandbox(sandbox);
    const joined = { sandbox, from: 'joined', checkpoint: null, notes: [] } as const;
    return this.current.begin(joined, this.task, async (session) => {
      const observation = (await session.awaitTurn({ signal })) ?? (await session.observe({ signal }));
      return { startMs: performance.now() - start, observation };
    });
  }

  /**
   * Starts over in a fresh sandbox in the state of a checkpoint, of any episode, instead of the task's initial one.
   * Errors: those of `Node.fork`.
   */
  async resume(
    origin: ForkOrigin,
    { signal = neverAborted, onRestored }: ResumeOptions = {},
  ): Promise<ResetResult> {
    await this.current.end();
    this.#checkpoints.clear();
    await this.#branchOff(origin, { observation: 0, mark: 0 }, signal, onRestored);
    return this.began;
  }

  /**
   * Does one action or an ordered batch, waits until the IDE is at rest and observes.
   * The reward is always 0: the score comes from {@link grade}, outside the agent's reach.
   * While a person has control, the step is refused as an outcome, and {@link StepInfo.withheld} says why it shows nothing.
   * @param actions lines (`xdotool …`, `click [12]`) or parsed actions; a line that can't be read is refused as an outcome
   */
  async step(actions: Actions, options: StepOptions & Cancellable = {}): Promise<StepResult> {
    const running = this.current.get('step');
    const { observation, info } = await running.session
      .step(actions, options)
      .catch((error: unknown) => refuseOutOfTurn(running, actions, error));
    running.observation = observation;
    return [observation, 0, false, info.step >= this.maxSteps, info];
  }

  /**
   * Saves the IDE with its running programs and unsaved text; named after task and step unless `name` is given. Errors:
   * those of `Sandbox.checkpoint`.
   */
  async checkpoint(options: CheckpointOptions & Cancellable = {}): Promise<Checkpoint> {
    const { sandbox, session } = this.current.get('checkpoint');
    const name = `${this.task.id} step ${session.steps}`;
    await session.reported(options);
    const info = await sandbox.checkpoint({ name, ...options });
    return { ...info, step: this.#checkpoints.note(info.id, session.steps) };
  }

  /**
   * Returns to a checkpoint. The count of steps continues; the new observation replaces all earlier ones, whose marks
   * are stale. Errors: those of `Sandbox.restore`; after `restore-failed` the environment is closed.
   */
  async restore(id: string, { signal = neverAborted }: Cancellable = {}): Promise<RestoreResult> {
    const running = this.current.get('restore');
    const start = performance.now();
    try {
      running.observation = await running.session.restore(id, { signal });
    } catch (error) {
      if (error instanceof PwpError && error.code === 'restore-failed') await this.current.end();
      throw error;
    }
    const restoreMs = performance.now() - start;
    const step = this.#checkpoints.stepOf(id);
    return [running.observation, { checkpoint: id, step, branch: ++running.branch, restoreMs }];
  }

  /**
   * New environments that start from a checkpoint, each in its own sandbox and at step 0; this one continues as it is.
   * The caller closes each. Errors: those of `Node.fork`; then none is left.
   */
  async fork({
    from,
    count = 1,
    onRefusal,
    signal = neverAborted,
  }: EnvironmentForkOptions & Cancellable = {}): Promise<Environment[]> {
    const { session } = this.current.get('fork');
    const checkpoint = from ?? (await this.checkpoint({ signal })).id;
    const origin = { checkpoint, step: this.#checkpoints.stepOf(checkpoint) };
    const given = await session.numbers({ signal });
    return makeAllOrDispose(count, async () => {
      const forked = new Environment({ ...this.#options, onRefusal });
      forked.#onFolder = this.#onFolder;
      await forked.#branchOff(origin, given, signal);
      return forked;
    });
  }

  /**
   * Scores what the agent left, in a fresh sandbox that it never touched. A sandbox that has ended, or whose IDE no
   * longer answers, is scored by what is on its disk; `Grade.unwritten` says so. Errors: `grading-failed`.
   */
  async grade({ onChanges, signal = neverAborted }: EnvironmentGradeOptions = {}): Promise<Grade> {
    const { sandbox, session } = this.current.get('grade');
    const unwritten = await whyUnwritten(session, signal);
    const graded = await grade({ node: this.#options.node, sandbox, task: this.task, onChanges, signal });
    return unwritten === undefined ? graded : { ...graded, unwritten };
  }

  /** Ends the sandbox and those restored in advance; checkpoints stay. Idempotent; `reset` may follow. */
  async close(): Promise<void> {
    await this.#close({ leave: true });
  }

  /** As {@link close}, and ends the sandbox even if it is to be kept. */
  async discard(): Promise<void> {
    await this.#close({ leave: false });
  }

  async #close(end: { readonly leave: boolean }): Promise<void> {
    await Promise.all([this.current.end(end), this.#starter[Symbol.asyncDispose]()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #makeTask(signal: AbortSignal): Promise<void> {
    const { node, image } = this.#options;
    this.#task = await withVariant(this.#task, { node, image, signal });
  }

  async #branchOff(
    origin: ForkOrigin,
    given: DomNumbers,
    signal: AbortSignal,
    onRestored?: ResumeOptions['onRestored'],
  ): Promise<void> {
    const start = performance.now();
    await this.#makeTask(signal);
    const name = toSandboxName(this.task.id);
    const { node, keep = false } = this.#options;
    const sandbox = await node.fork(origin.checkpoint, { name, keep, signal });
    this.#followSandbox(sandbox);
    this.origin = origin;
    const forked = { sandbox, from: 'fork', checkpoint: origin.checkpoint, notes: [] } as const;
    await this.current.begin(forked, this.task, async (session) => {
      if (onRestored) onRestored(await sandbox.picture({ signal }).catch(() => null));
      await sandbox.ready({ signal });
      const startMs = performance.now() - start;
      return { startMs, observation: await session.resume(given, { signal }) };
    });
  }
}

/** Rejects with any error except that it is not the agent's turn. */
function refuseOutOfTurn({ session, observation }: RunningSandbox, actions: Actions, error: unknown) {
  if (!isOutOfTurn(error)) throw error;
  return { observation, info: session.refuse(actions, observation, error) };
}
