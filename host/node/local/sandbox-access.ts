import { PwpError } from '../../../bridge/lib/index.ts';
import { CheckpointYield, claimSandbox } from '../checkpoint/index.ts';
import { findSandboxRecord, type SandboxPaths, type SandboxRecord } from '../container/index.ts';
import { SharedLock } from './shared-lock.ts';

interface SandboxAccessOptions {
  readonly id: string;
  readonly paths: SandboxPaths;
  /** Closes the connections to the sandbox; the next call opens them again. */
  readonly disconnect: () => Promise<void>;
  /** The same, and those of its programs to the network. */
  readonly hangUp: () => Promise<void>;
}

/**
 * Who may work on a sandbox: calls of this object share it, and a checkpoint or a restore has it alone. While another
 * process has it alone, this object stays disconnected and its calls wait.
 */
export class SandboxAccess implements Disposable {
  readonly #options: SandboxAccessOptions;
  readonly #lock = new SharedLock();
  readonly #aside: CheckpointYield;
  /** Fires when the sandbox is stopped. */
  readonly #ending = new AbortController();
  /** Whether this object has the exclusive right to the sandbox. */
  #claimed = false;
  /** A checkpoint or a restore that is under way. */
  #apart: Promise<unknown> | undefined;

  constructor(options: SandboxAccessOptions) {
    this.#options = options;
    this.#aside = new CheckpointYield(options.paths);
  }

  /** Fires when the sandbox is stopped, with `sandbox-stopped`. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Runs `work` beside other calls. Rejects with the signal's reason if it is aborted while waiting. */
  shared<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return this.#lock.shared(signal, work);
  }

  /** Keeps checkpoints and restores waiting until the result is disposed. */
  acquireShared(signal: AbortSignal): Promise<Disposable> {
    return this.#lock.acquireShared(signal);
  }

  /** Runs `work` while no other process or object works on the sandbox, and while no process is connected to it. */
  exclusive<T>(
    what: 'checkpoint' | 'restore',
    signal: AbortSignal,
    work: (record: SandboxRecord, within: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const within = AbortSignal.any([signal, this.ending]);
    const { id, paths, hangUp } = this.#options;
    return this.#lock.exclusive(within, async () => {
      // Before the claim: another one may hold it, and waits for us.
      await hangUp();
      const claimed = await claimSandbox(paths, what, within);
      this.#claimed = true;
      try {
        const record = await findSandboxRecord(id);
        const apart = hangUp().then(() => work(record, within));
        this.#apart = apart;
        return await apart;
      } finally {
        this.#apart = undefined;
        await claimed[Symbol.asyncDispose]();
        this.#claimed = false;
      }
    });
  }

  /**
   * Before a connection: another process may be at work on the sandbox, and may now or later ask this one to let go.
   */
  async mayConnect(signal: AbortSignal): Promise<void> {
    this.#aside.begin(() => this.#letGo().catch(() => undefined));
    if (!this.#claimed) await this.#aside.untilFree(signal);
  }

  /** Refuses new work, and resolves when a checkpoint or restore under way has ended. */
  async end(): Promise<void> {
    this.#ending.abort(new PwpError('sandbox-stopped', `sandbox ${this.#options.id} is stopped`));
    // CRIU is never ended midway; what is under way ends by itself or heeds the signal.
    await this.#apart?.catch(() => undefined);
  }

  /** No longer lets go for other processes. */
  [Symbol.dispose](): void {
    this.#aside[Symbol.dispose]();
  }

  /** Work under way ends first; new work waits. */
  async #letGo(): Promise<void> {
    if (this.#claimed) return;
    const over = new AbortController();
    const free = this.#aside.untilFree(this.ending).finally(() => over.abort());
    // If the work under way here takes longer than the other process waits, all goes on as before.
    const aside = this.#lock.exclusive(over.signal, async () => {
      await this.#options.disconnect();
      await free;
    });
    await Promise.allSettled([free, aside]);
  }
}
