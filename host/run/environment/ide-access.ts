import { posix } from 'node:path';
import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import {
  type AgentOutcome,
  describeTool,
  type Service,
  type ToolDefinition,
  tools,
  type Usage,
} from '../../../bridge/protocol/index.ts';
import {
  annotate,
  callTool,
  findIdeMethod,
  type Fingerprint,
  hearSound,
  type IdeAnswer,
  type IdeQuestion,
  type IdeQuestionParams,
  type Observation,
  type PageText,
  type PlayedSound,
  type Pointer,
  requireViewRight,
  type ResetResult,
  type SoundOptions,
  takeFingerprint,
  type TextQuery,
  type ToolAnswer,
  type ToolCall,
} from '../../ide/index.ts';
import type { ExecResult, ExecSpec, Picture, ScreenPicture, ViewOptions } from '../../node/index.ts';
import type { CurrentSandbox } from './current-sandbox.ts';

/**
 * Everything that an environment sees of its IDE without a step: looks, questions, calls of tools, pictures, sound. Knows
 * no task.
 */
export abstract class IdeAccess {
  protected readonly current: CurrentSandbox;

  protected constructor(current: CurrentSandbox) {
    this.current = current;
  }

  /** Looks, without a step. Errors: `control-held`. */
  async observe(options: Cancellable = {}): Promise<Observation> {
    const running = this.current.get('observe');
    running.observation = await running.session.observe(options);
    return running.observation;
  }

  /** The result of the last reset, or the first observation after a fork. Errors: `not-reset`. */
  get began(): ResetResult {
    return this.current.get('began').began;
  }

  /** The newest observation. Errors: `not-reset`. */
  get observation(): Observation {
    return this.current.get('observation').observation;
  }

  /** Waits until the IDE is at rest and observes, without a step. */
  async look({ signal = neverAborted }: Cancellable = {}): Promise<Observation> {
    const running = this.current.get('look');
    await running.session.settle({ signal });
    running.observation = await running.session.observe({ signal });
    return running.observation;
  }

  /** Waits until no person has control; as {@link Session.awaitTurn}. */
  async awaitTurn(options: Cancellable = {}): Promise<Observation | null> {
    const running = this.current.get('awaitTurn');
    const observation = await running.session.awaitTurn(options);
    if (observation) running.observation = observation;
    return observation;
  }

  /** The acts of people by hand; as {@link Session.takePersonActs}. */
  takePersonActs(): readonly AgentOutcome[] {
    return this.current.get('takePersonActs').session.takePersonActs();
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
    const { sandbox } = this.current.get('ask');
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
    return callTool(this.current.get('call').sandbox, call, options);
  }

  /**
   * Runs a program in the sandbox as the agent's user, beside the IDE; what it leaves running is ended. Errors:
   * `control-held`, and those of `Sandbox.exec`.
   * @param program its `cwd` is relative to the workspace
   */
  async exec(program: ExecSpec, { signal = neverAborted }: Cancellable = {}): Promise<ExecResult> {
    const { sandbox } = this.current.get('exec');
    await requireViewRight(sandbox, signal);
    return sandbox.exec({ ...program, cwd: posix.resolve(sandbox.workspace, program.cwd) }, { signal });
  }

  /** Releases every key and button that is down. */
  release({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    return this.current.get('release').session.release({ signal });
  }

  /** The newest observation as PNG with its marks drawn in: the view if the agent sees one, else the screen. */
  render(): Promise<Picture> {
    const { screen, marks } = this.current.get('render').observation;
    return annotate(screen.view ?? screen, marks);
  }

  /** Readable text that is not in a mark; as {@link Session.text}. */
  text(options: TextQuery & Cancellable = {}): Promise<PageText> {
    return this.current.get('text').session.text(options);
  }

  /** Where the pointer is, and what a click there would reach; as {@link Session.pointer}. */
  pointer(options: Cancellable = {}): Promise<Pointer> {
    return this.current.get('pointer').session.pointer(options);
  }

  /** The current screen in another format, smaller, or a part of it in full resolution, e.g. to read small text. */
  picture(options: ViewOptions & Cancellable = {}): Promise<ScreenPicture> {
    return this.current.get('picture').session.picture(options);
  }

  /** Whether its sandbox has a sound server. Errors: `not-reset`. */
  get hasSound(): boolean {
    return this.current.get('hasSound').sandbox.display.audio ?? false;
  }

  /** The sound of the last 30 seconds. Errors: `unsupported` for a sandbox without sound; `control-held`. */
  sound(options: SoundOptions = {}): Promise<PlayedSound> {
    return hearSound(this.current.get('sound').sandbox, options);
  }

  /** A fingerprint of the state of files and editors, for the comparison of two runs; not for scores. */
  fingerprint({ signal = neverAborted }: Cancellable = {}): Promise<Fingerprint> {
    return takeFingerprint(this.current.get('fingerprint').sandbox, signal);
  }

  /** Resource usage of the sandbox, and which limits were hit; null if none runs. */
  async usage({ signal = neverAborted }: Cancellable = {}): Promise<Usage | null> {
    return (await this.current.running?.sandbox.usage({ signal })) ?? null;
  }

  /** Parts of the desktop that died or came back since the last step; each is returned once, here or in a step. */
  takeServices(): readonly Service[] {
    return this.current.running?.session.takeServices() ?? [];
  }
}
