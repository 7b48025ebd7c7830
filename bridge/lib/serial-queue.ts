import { raceSignal } from './deadline.ts';

/** Runs pieces of work one after another, in the order of the calls. One that fails does not hold up the next. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();
  #size = 0;

  /** Pieces of work that run or wait. */
  get size(): number {
    return this.#size;
  }

  /** Settles as the work does. If the signal fires before the work begins, it never does: rejects with the reason. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last;
    const own = Promise.withResolvers<void>();
    this.#last = before.then(() => own.promise);
    this.#size += 1;
    try {
      await (signal ? raceSignal(before, signal) : before);
      return await work();
    } finally {
      this.#size -= 1;
      own.resolve();
    }
  }

  /** Resolves when all work added so far has ended. Never rejects. */
  settled(): Promise<void> {
    return this.#last;
  }
}
