import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import {
  type AgentOutcome,
  describeTool,
  type DomNumbers,
  type Service,
  type ToolDefinition,
  tools,
  type Usage,
} from '../../../bridge/protocol/index.ts';
import {
  type Actions,
  annotate,
  callTool,
  type Checkpoint,
  findIdeMethod,
  type Fingerprint,
  type ForkOrigin,
  hearSound,
  type IdeAnswer,
  type IdeQuestion,
  type IdeQuestionParams,
  isOutOfTurn,
  type Observation,
  type PageText,
  type PlayedSound,
  type Pointer,
  requireViewRight,
  type ResetInfo,
  type ResetResult,
  type RestoreResult,
  Session,
  type SoundOptions,
  type StepOptions,
  type StepResult,
  takeFingerprint,
  type TextQuery,
  type ToolAnswer,
  type ToolCall,
} from '../../ide/index.ts';
import {
  type CheckpointOptions,
  type Picture,
  type Sandbox,
  type ScreenPicture,
  toSandboxName,
  type ViewOptions,
} from '../../node/index.ts';
import { folderTask, grade, type Grade, type Task, withVariant } from '../../tasks/index.ts';
import {
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

interface RunningSandbox {
  readonly sandbox: Sandbox;
  readonly session: Session;
  readonly began: ResetResult;
  observation: Observation;
  /** How often it was restored. */
  branch: number;
}

/**
 * One task in one live IDE, with Gymnasium's interface: `reset`, `step`, `render`, `close`, and `grade`; and beyond it
 * `checkpoint`, `restore` and `fork`. It owns its sandbox: a reset replaces it, close ends it.
 */
export class Environment implements AsyncDisposable {
  /** As {@link EnvironmentOptions.stepLimit}. */
  readonly stepLimit: number;
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
  #running: RunningSandbox | undefined;

  constructor(options: EnvironmentOptions) {
    const { node, task, stepLimit = 100, cold = false, warm = 0 } = options;
    this.#task = task;
    this.#checkpoints = new EpisodeCheckpoints(node);
    this.checkpoints = this.#checkpoints;
    this.#options = options;
    this.stepLimit = stepLimit;
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
    const env = new Environment({ ...options, task: await folderTask(folder, options) });
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
    await this.#end();
    this.origin = null;
    this.#checkpoints.clear();
    await this.#makeTask(signal);
    const spec = await makeSandboxSpec(this.task, this.#options);
    const started = await (this.#onFolder
      ? this.#starter.startOnFolder(spec, signal)
      : this.#starter.start(spec, signal));
    return this.#begin(started, async (session) => {
      await session.settle({ signal });
      return { startMs: started.startMs, observation: await session.observe({ signal }) };
    });
  }

  /**
   * Works in a running sandbox, as it is now, in place of a fresh one. It keeps running when this environment is closed.
   * Waits while a person has control. Errors: those of `Node.open`.
   */
  async join(id: string, { signal = neverAborted }: Cancellable = {}): Promise<ResetResult> {
    await this.#end();
    this.origin = null;
    this.#checkpoints.clear();
    const start = performance.now();
    const sandbox = await this.#options.node.open(id, { signal });
    return this.#begin({ sandbox, from: 'joined', checkpoint: null, notes: [] }, async (session) => {
      const observation = (await session.awaitTurn({ signal })) ?? (await session.observe({ signal }));
      return { startMs: performance.now() - start, observation };
    });
  }

  /** Looks, without a step. Errors: `control-held`. */
  async observe(options: Cancellable = {}): Promise<Observation> {
    const running = this.#started('observe');
    running.observation = await running.session.observe(options);
    return running.observation;
  }

  /**
   * Starts over in a fresh sandbox in the state of a checkpoint, of any episode, instead of the task's initial one.
   * Errors: those of `Node.fork`.
   */
  async resume(
    origin: ForkOrigin,
    { signal = neverAborted, onRestored }: ResumeOptions = {},
  ): Promise<ResetResult> {
    await this.#end();
    this.#checkpoints.clear();
    await this.#branchOff(origin, { observation: 0, mark: 0 }, signal, onRestored);
    return this.began;
  }

  /** The result of the last reset, or the first observation after a fork. Errors: `not-reset`. */
  get began(): ResetResult {
    return this.#started('began').began;
  }

  /** The newest observation. Errors: `not-reset`. */
  get observation(): Observation {
    return this.#started('observation').observation;
  }

  /**
   * Does one action or an ordered batch, waits until the IDE is at rest and observes.
   * The reward is always 0: the score comes from {@link grade}, outside the agent's reach.
   * While a person has control, the step is refused as an outcome, and {@link StepInfo.withheld} says why it shows nothing.
   * @param actions lines (`xdotool …`, `click [12]`) or parsed actions; a line that can't be read is refused as an outcome
   */
  async step(actions: Actions, options: StepOptions & Cancellable = {}): Promise<StepResult> {
    const running = this.#started('step');
    const { observation, info } = await running.session
      .step(actions, options)
      .catch((error: unknown) => refuseOutOfTurn(running, actions, error));
    running.observation = observation;
    return [observation, 0, false, info.step >= this.stepLimit, info];
  }

  /** Waits until the IDE is at rest and observes, without a step. */
  async look({ signal = neverAborted }: Cancellable = {}): Promise<Observation> {
    const running = this.#started('look');
    await running.session.settle({ signal });
    running.observation = await running.session.observe({ signal });
    return running.observation;
  }

  /** Waits until no person has control; as {@link Session.awaitTurn}. */
  async awaitTurn(options: Cancellable = {}): Promise<Observation | null> {
    const running = this.#started('awaitTurn');
    const observation = await running.session.awaitTurn(options);
    if (observation) running.observation = observation;
    return observation;
  }

  /** The acts of people by hand; as {@link Session.takePersonActs}. */
  takePersonActs(): readonly AgentOutcome[] {
    return this.#started('takePersonActs').session.takePersonActs();
  }

  /**
   * Saves the IDE with its running programs and unsaved text; named after task and step unless `name` is given. Errors:
   * those of `Sandbox.checkpoint`.
   */
  async checkpoint(options: CheckpointOptions & Cancellable = {}): Promise<Checkpoint> {
    const { sandbox, session } = this.#started('checkpoint');
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
    const running = this.#started('restore');
    const start = performance.now();
    try {
      running.observation = await running.session.restore(id, { signal });
    } catch (error) {
      if (error instanceof PwpError && error.code === 'restore-failed') await this.#end();
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
    const { session } = this.#started('fork');
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
   * Asks the IDE for its state, e.g. `ask('ide.settings', { keys: ['editor.fontSize'] })`. Not for scores: the answer
   * comes from inside. Errors: `usage` for an unknown question, `RpcError`.
   */
  async ask<Q extends IdeQuestion>(
    question: Q,
    params: IdeQuestionParams<Q>,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<IdeAnswer<Q>> {
    const method = findIdeMethod(question);
    if (!method) throw new PwpError('usage', `there is no question ${JSON.stringify(question)}`);
    const { sandbox } = this.#started('ask');
    await requireViewRight(sandbox, signal);
    return (await sandbox.call(method, params, { signal })) as IdeAnswer<Q>;
  }

  /** The tools that a step may call, `{ kind: 'tool', name, arguments }`, with JSON Schemas for models. */
  get tools(): readonly ToolDefinition[] {
    return tools.map(describeTool);
  }

  /**
   * Calls a tool and nothing else: no step is counted or recorded, and nothing is awaited or observed. Use it for tools
   * that read; tools that act belong in a step. Errors: `bad-action`; `RpcError` for a tool that failed.
   */
  call(call: ToolCall, options: Cancellable = {}): Promise<ToolAnswer> {
    return callTool(this.#started('call').sandbox, call, options);
  }

  /** Releases every key and button that is down. */
  release({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    return this.#started('release').session.release({ signal });
  }

  /** The newest observation as PNG with its marks drawn in: the view if the agent sees one, else the screen. */
  render(): Promise<Picture> {
    const { screen, marks } = this.#started('render').observation;
    return annotate(screen.view ?? screen, marks);
  }

  /** Readable text that is not in a mark; as {@link Session.text}. */
  text(options: TextQuery & Cancellable = {}): Promise<PageText> {
    return this.#started('text').session.text(options);
  }

  /** Where the pointer is, and what a click there would reach; as {@link Session.pointer}. */
  pointer(options: Cancellable = {}): Promise<Pointer> {
    return this.#started('pointer').session.pointer(options);
  }

  /** The current screen in another format, smaller, or a part of it in full resolution, e.g. to read small text. */
  picture(options: ViewOptions & Cancellable = {}): Promise<ScreenPicture> {
    return this.#started('picture').session.picture(options);
  }

  /** Whether its sandbox has a sound server. Errors: `not-reset`. */
  get hasSound(): boolean {
    return this.#started('hasSound').sandbox.display.audio ?? false;
  }

  /** The sound of the last 30 seconds. Errors: `unsupported` for a sandbox without sound; `control-held`. */
  sound(options: SoundOptions = {}): Promise<PlayedSound> {
    return hearSound(this.#started('sound').sandbox, options);
  }

  /** A fingerprint of the state of files and editors, for the comparison of two runs; not for scores. */
  fingerprint({ signal = neverAborted }: Cancellable = {}): Promise<Fingerprint> {
    return takeFingerprint(this.#started('fingerprint').sandbox, signal);
  }

  /** Resource usage of the sandbox, and which limits were hit; null if none runs. */
  async usage({ signal = neverAborted }: Cancellable = {}): Promise<Usage | null> {
    return (await this.#running?.sandbox.usage({ signal })) ?? null;
  }

  /**
   * Scores what the agent left, in a fresh sandbox that it never touched. A sandbox that has ended, or whose IDE no
   * longer answers, is scored by what is on its disk; `Grade.unwritten` says so. Errors: `grading-failed`.
   */
  async grade({ onChanges, signal = neverAborted }: EnvironmentGradeOptions = {}): Promise<Grade> {
    const { sandbox, session } = this.#started('grade');
    const unwritten = await whyUnwritten(session, signal);
    const graded = await grade({ node: this.#options.node, sandbox, task: this.task, onChanges, signal });
    return unwritten === undefined ? graded : { ...graded, unwritten };
  }

  /** Parts of the desktop that died or came back since the last step; each is returned once, here or in a step. */
  takeServices(): readonly Service[] {
    return this.#running?.session.takeServices() ?? [];
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
    await Promise.all([this.#end(end), this.#starter[Symbol.asyncDispose]()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #makeTask(signal: AbortSignal): Promise<void> {
    this.#task = await withVariant(this.#task, { node: this.#options.node, signal });
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
    this.origin = origin;
    const { checkpoint } = origin;
    await this.#begin({ sandbox, from: 'fork', checkpoint, notes: [] }, async (session) => {
      if (onRestored) onRestored(await sandbox.picture({ signal }).catch(() => null));
      await sandbox.ready({ signal });
      const startMs = performance.now() - start;
      return { startMs, observation: await session.resume(given, { signal }) };
    });
  }

  async #begin(
    {
      sandbox,
      from,
      checkpoint,
      notes,
    }: Pick<ResetInfo, 'from' | 'checkpoint' | 'notes'> & { sandbox: Sandbox },
    look: (session: Session) => Promise<{ startMs: number; observation: Observation }>,
  ): Promise<ResetResult> {
    const { onRefusal } = this.#options;
    if (onRefusal) sandbox.onRefusal(onRefusal);
    const session = new Session(sandbox, this.#options);
    try {
      const { observation, startMs } = await look(session);
      const { id: task, instruction } = this.task;
      const facts = { sandbox: sandbox.id, image: sandbox.image, task, instruction, startMs };
      const began: ResetResult = [observation, { ...facts, from, checkpoint, notes }];
      if (checkpoint !== null && from !== 'fork') this.#checkpoints.note(checkpoint, 0);
      this.#running = { sandbox, session, began, observation, branch: 0 };
      return began;
    } catch (error) {
      session[Symbol.dispose]();
      await this.#stop(sandbox);
      throw error;
    }
  }

  /** @param leave a sandbox that outlives this process keeps running */
  async #end({ leave = false } = {}): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.session[Symbol.dispose]();
    if (!running) return;
    await (leave ? running.sandbox[Symbol.asyncDispose]() : this.#stop(running.sandbox));
  }

  async #stop(sandbox: Sandbox): Promise<void> {
    // Disposing a sandbox that outlives this process only ends the connection.
    if (this.#options.keep) await sandbox.stop().catch(() => undefined);
    // Otherwise not `stop`, which would complain about a node that is gone, with its sandbox.
    await sandbox[Symbol.asyncDispose]();
  }

  #started(operation: string): RunningSandbox {
    if (this.#running) return this.#running;
    throw new PwpError('not-reset', `${operation}: there is no running sandbox`, {
      help: 'Call reset() first.',
    });
  }
}

/** Rejects with any error except that it is not the agent's turn. */
function refuseOutOfTurn({ session, observation }: RunningSandbox, actions: Actions, error: unknown) {
  if (!isOutOfTurn(error)) throw error;
  return { observation, info: session.refuse(actions, observation, error) };
}
