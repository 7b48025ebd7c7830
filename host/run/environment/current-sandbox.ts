import { PwpError } from '../../../bridge/lib/index.ts';
import { type Observation, type ResetInfo, type ResetResult, Session } from '../../ide/index.ts';
import type { Sandbox } from '../../node/index.ts';
import type { Task } from '../../tasks/index.ts';
import type { EnvironmentOptions } from './environment-options.ts';

/** A sandbox in use. */
export interface RunningSandbox {
  readonly sandbox: Sandbox;
  readonly session: Session;
  readonly began: ResetResult;
  observation: Observation;
  /** How often it was restored. */
  branch: number;
}

/** A sandbox that has been started or joined, and how. */
type StartedSandbox = Pick<ResetInfo, 'from' | 'checkpoint' | 'notes'> & { readonly sandbox: Sandbox };

/** The sandbox that an environment uses now; it has none before a reset and after the end. */
export class CurrentSandbox {
  readonly #options: Omit<EnvironmentOptions, 'task'>;
  #running: RunningSandbox | undefined;

  constructor(options: Omit<EnvironmentOptions, 'task'>) {
    this.#options = options;
  }

  /** Undefined without one. */
  get running(): RunningSandbox | undefined {
    return this.#running;
  }

  /** Errors: `not-reset` without one. */
  get(operation: string): RunningSandbox {
    if (this.#running) return this.#running;
    throw new PwpError('not-reset', `${operation}: there is no running sandbox`, {
      help: 'Call reset() first.',
    });
  }

  /**
   * Uses a sandbox from now on. If the first look fails, the sandbox is ended.
   * @param look the first look
   */
  async begin(
    { sandbox, from, checkpoint, notes }: StartedSandbox,
    { id: task, instruction }: Pick<Task, 'id' | 'instruction'>,
    look: (session: Session) => Promise<{ startMs: number; observation: Observation }>,
  ): Promise<ResetResult> {
    const { onRefusal } = this.#options;
    if (onRefusal) sandbox.onRefusal(onRefusal);
    const session = new Session(sandbox, this.#options);
    try {
      const { observation, startMs } = await look(session);
      const facts = { sandbox: sandbox.id, image: sandbox.image, task, instruction, startMs };
      const began: ResetResult = [observation, { ...facts, from, checkpoint, notes }];
      this.#running = { sandbox, session, began, observation, branch: 0 };
      return began;
    } catch (error) {
      session[Symbol.dispose]();
      await this.#stop(sandbox);
      throw error;
    }
  }

  /**
   * Ends it, if there is one.
   * @param leave a sandbox that outlives this process keeps running
   */
  async end({ leave = false } = {}): Promise<void> {
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
}
