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

interface Flight<T> {
  readonly promise: Promise<T>;
  readonly stop: AbortController;
  waiting: number;
  /** The result; undefined until then, and for good if it failed. */
  result?: { readonly value: T };
}

/**
 * One piece of work that several callers wait for: started by the first, cancelled only when all of them have given up.
 * Its result is kept. A failure is reported to those who waited for it, and the next caller starts again.
 */
export class SingleFlight<T> {
  readonly #work: (signal: AbortSignal) => Promise<T>;
  /** Includes attempts that are given up but not undone yet. */
  readonly #underWay = new Set<Promise<T>>();
  #current: Flight<T> | undefined;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#work = work;
  }

  /** The result of the work, or undefined; starts nothing. */
  get value(): T | undefined {
    return this.#current?.result?.value;
  }

  /** Rejects with the work's error, or at once with the signal's reason. */
  async get(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const attempt = (this.#current ??= this.#begin());
    attempt.waiting += 1;
    try {
      return await raceSignal(attempt.promise, signal);
    } finally {
      attempt.waiting -= 1;
      if (attempt.waiting === 0 && !attempt.result) this.#giveUp(attempt, signal.reason);
    }
  }

  /** Lets the next caller start again, if this is the latest result of the work. */
  forget(value: T): void {
    if (this.value === value) this.#current = undefined;
  }

  /** Gives up work that is under way, resolves when that is undone, and returns the earlier result of the work. */
  async close(reason: unknown): Promise<T | undefined> {
    const { value } = this;
    if (this.#current) this.#giveUp(this.#current, reason);
    await Promise.allSettled(this.#underWay);
    return value;
  }

  #begin(): Flight<T> {
    const stop = new AbortController();
    const promise = this.#work(stop.signal);
    const attempt: Flight<T> = { promise, stop, waiting: 0 };
    this.#underWay.add(promise);
    promise.then(
      (value) => {
        attempt.result = { value };
        this.#underWay.delete(promise);
      },
      () => {
        this.#giveUp(attempt, undefined);
        this.#underWay.delete(promise);
      },
    );
    return attempt;
  }

  #giveUp(attempt: Flight<T>, reason: unknown): void {
    if (this.#current === attempt) this.#current = undefined;
    attempt.stop.abort(reason);
  }
}
