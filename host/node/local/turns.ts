import { raceSignal } from '../../../bridge/lib/index.ts';

interface Waiter {
  readonly alone: boolean;
  readonly admit: () => void;
}

/**
 * Who may use a sandbox at a time: many together, or one alone that takes it apart. First come, first served: who wants
 * it alone is not overtaken by those that come later.
 */
export class Turns {
  readonly #waiters: Waiter[] = [];
  #together = 0;
  #alone = false;

  /** Works beside others. Rejects with the signal's reason where it gives up waiting. */
  async together<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return during(await this.join(signal), work);
  }

  /** Works when all others have ended. Rejects with the signal's reason where it gives up waiting. */
  async alone<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return during(await this.#enter(true, signal), work);
  }

  /** Is there beside others until the result is disposed. */
  join(signal: AbortSignal): Promise<Disposable> {
    return this.#enter(false, signal);
  }

  async #enter(alone: boolean, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<Disposable>();
    const waiter: Waiter = { alone, admit: () => resolve(this.#turn(alone)) };
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

  #turn(alone: boolean): Disposable {
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

async function during<T>(turn: Disposable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    turn[Symbol.dispose]();
  }
}
