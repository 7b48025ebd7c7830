import { raceSignal } from '../../../bridge/lib/index.ts';

interface LockWaiter {
  readonly alone: boolean;
  readonly admit: () => void;
}

/**
 * A readers-writer lock for a sandbox: many callers share it, or one has it exclusively. First come, first served: later
 * shared callers do not overtake a waiting exclusive one.
 */
export class SharedLock {
  readonly #waiters: LockWaiter[] = [];
  #together = 0;
  #alone = false;

  /** Runs `work` beside other shared callers. Rejects with the signal's reason if it is aborted while waiting. */
  async shared<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return runDuring(await this.acquireShared(signal), work);
  }

  /** Runs `work` when all others have ended. Rejects with the signal's reason if it is aborted while waiting. */
  async exclusive<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return runDuring(await this.#enter(true, signal), work);
  }

  /** Holds the lock beside other shared callers until the result is disposed. */
  acquireShared(signal: AbortSignal): Promise<Disposable> {
    return this.#enter(false, signal);
  }

  async #enter(alone: boolean, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<Disposable>();
    const waiter: LockWaiter = { alone, admit: () => resolve(this.#held(alone)) };
    this.#waiters.push(waiter);
    this.#admit();
    try {
      return await raceSignal(promise, signal);
    } catch (error) {
      const at = this.#waiters.indexOf(waiter);
      if (at >= 0) this.#waiters.splice(at, 1);
      // Let in at the very moment at which it gave up.
      else void promise.then((turn) => turn[Symbol.dispose]());
      this.#admit();
      throw error;
    }
  }

  #admit(): void {
    for (let head = this.#waiters[0]; head; head = this.#waiters[0]) {
      if (this.#alone || (head.alone && this.#together > 0)) return;
      this.#waiters.shift();
      if (head.alone) this.#alone = true;
      else this.#together += 1;
      head.admit();
    }
  }

  #held(alone: boolean): Disposable {
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        if (alone) this.#alone = false;
        else this.#together -= 1;
        this.#admit();
      },
    };
  }
}

async function runDuring<T>(turn: Disposable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    turn[Symbol.dispose]();
  }
}
