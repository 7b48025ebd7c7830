import { unwatchFile, watchFile } from 'node:fs';
import { poll, PwpError, raceSignal, SerialQueue } from '../../../bridge/lib/index.ts';
import { acquireLock, lockHolder } from '../../lib/index.ts';

/** Pause between two looks whether another process has taken the lock, in milliseconds; that process waits as long. */
const connectedLookMs = 100;
/** The same for looks whether it is free again. */
const waitingLookMs = 25;

interface SandboxAccessOptions {
  readonly id: string;
  /** Path of the lock by which one process at a time has the sandbox alone. */
  readonly turn: string;
  /** Closes the connections to the sandbox; the next call opens them again. */
  readonly disconnect: () => Promise<void>;
  /** The same, and those of its programs to the network. */
  readonly hangUp: () => Promise<void>;
}

/**
 * Who may work on a sandbox: calls of this object share it; a checkpoint or a restore has it alone, among all processes.
 * While another object has it alone, this one stays disconnected and its calls wait. In the order of the calls: later ones
 * do not overtake a checkpoint that waits.
 */
export class SandboxAccess implements Disposable {
  readonly #options: SandboxAccessOptions;
  readonly #alone = new SerialQueue();
  /** The calls that run or wait: each resolves when its call is over. */
  readonly #together = new Set<Promise<void>>();
  /** Fires when the sandbox is stopped. */
  readonly #ending = new AbortController();
  /** Whether this object has the lock. */
  #locked = false;
  /** A checkpoint or a restore that is under way. */
  #apart: Promise<unknown> | undefined;
  #isWatching = false;

  constructor(options: SandboxAccessOptions) {
    this.#options = options;
  }

  /** Fires when the sandbox is stopped, with `sandbox-stopped`. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Runs `work` beside other calls. Rejects with the signal's reason if it is aborted while waiting. */
  async shared<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    using turn = await this.acquireShared(signal);
    void turn;
    return await work();
  }

  /** Keeps checkpoints and restores waiting until the result is disposed. */
  async acquireShared(signal: AbortSignal): Promise<Disposable> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#together.add(promise);
    using turn = new DisposableStack();
    turn.defer(() => {
      this.#together.delete(promise);
      resolve();
    });
    await raceSignal(this.#alone.settled(), signal);
    return turn.move();
  }

  /** Runs `work` while no other process or object works on the sandbox, and while no process is connected to it. */
  exclusive<T>(
    what: 'checkpoint' | 'restore',
    signal: AbortSignal,
    work: (within: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const within = AbortSignal.any([signal, this.ending]);
    const { turn, hangUp } = this.#options;
    return this.#afterCalls(within, async () => {
      // Before the lock: another one may have it, and waits for us.
      await hangUp();
      const lock = await acquireLock(turn, { signal: within, purpose: what });
      this.#locked = true;
      try {
        const apart = hangUp().then(() => work(within));
        this.#apart = apart;
        return await apart;
      } finally {
        this.#apart = undefined;
        await lock[Symbol.asyncDispose]();
        this.#locked = false;
      }
    });
  }

  /**
   * Before a connection, which can't be part of a checkpoint: another process may be at work on the sandbox, and may now or
   * later want to be.
   */
  async mayConnect(signal: AbortSignal): Promise<void> {
    // Not by inotify: one sandbox that uses up a user's share of it would end every step of all others.
    const options = { persistent: false, interval: connectedLookMs };
    if (!this.#isWatching) watchFile(this.#options.turn, options, this.#onLock);
    this.#isWatching = true;
    if (!this.#locked) await this.#untilFree(signal);
  }

  /** Refuses new work, and resolves when a checkpoint or restore under way has ended. */
  async end(): Promise<void> {
    this.#ending.abort(new PwpError('sandbox-stopped', `sandbox ${this.#options.id} is stopped`));
    // CRIU is never ended midway; what is under way ends by itself or heeds the signal.
    await this.#apart?.catch(() => undefined);
  }

  /** No longer lets go for other processes. */
  [Symbol.dispose](): void {
    if (this.#isWatching) unwatchFile(this.#options.turn, this.#onLock);
  }

  /** Runs `work` when all earlier calls are over, while later ones wait. */
  #afterCalls<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const earlier = Promise.all(this.#together);
    return this.#alone.run(async () => {
      await raceSignal(earlier, signal);
      return await work();
    }, signal);
  }

  readonly #onLock = (): void => void this.#letGo().catch(() => undefined);

  async #letGo(): Promise<void> {
    if (!(await lockHolder(this.#options.turn)) || this.#locked) return;
    const over = new AbortController();
    const free = this.#untilFree(this.ending).finally(() => over.abort());
    // If the work under way here takes longer than the other process waits, all goes on as before.
    const aside = this.#afterCalls(over.signal, async () => {
      await this.#options.disconnect();
      await free;
    });
    await Promise.allSettled([free, aside]);
  }

  async #untilFree(signal: AbortSignal): Promise<void> {
    const probe = async () =>
      (await lockHolder(this.#options.turn))
        ? ({ done: false, saw: 'a checkpoint or a restore' } as const)
        : ({ done: true, value: undefined } as const);
    const what = 'the end of a checkpoint or a restore by another';
    await poll(what, probe, { intervalMs: waitingLookMs, signal });
  }
}
