import { pause, raceSignal } from '../../../bridge/lib/index.ts';

/**
 * How fast one model is asked, shared by all who ask it in this process: a number of turns at once, fewer after the
 * server said that it is too much, more again as answers come.
 */
export class RateLimiter {
  readonly #most: number;
  #places: number;
  #taken = 0;
  /** A time of `performance.now()`: no turn begins before it. */
  #pausedUntil = 0;
  #waiting: (() => void)[] = [];

  /** @param most turns at once */
  constructor(most: number) {
    this.#most = most;
    // Not a burst of all at once: each answer makes room for one more.
    this.#places = Math.min(most, 2);
  }

  /** Waits for a place, and until no pause is in force. Dispose it when the try has ended. */
  async enter(signal: AbortSignal): Promise<Disposable> {
    while (this.#taken >= this.#places) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      try {
        await raceSignal(promise, signal);
      } catch (error) {
        this.#waiting = this.#waiting.filter((one) => one !== resolve);
        throw error;
      }
    }
    this.#taken += 1;
    const place = { [Symbol.dispose]: () => this.#leave() };
    try {
      for (let leftMs = this.#leftMs(); leftMs > 0; leftMs = this.#leftMs()) await pause(leftMs, signal);
      return place;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** An answer came: one more may be asked at once. */
  speedUp(): void {
    this.#places = Math.min(this.#most, this.#places + 1);
    this.#wake();
  }

  /** The server said that it is too much: no turn begins for `ms` milliseconds, and then half as many at once. */
  slowDown(ms: number): void {
    this.#places = Math.max(1, Math.floor(this.#places / 2));
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
  }

  #leftMs(): number {
    return this.#pausedUntil - performance.now();
  }

  #leave(): void {
    this.#taken -= 1;
    this.#wake();
  }

  #wake(): void {
    const free = this.#places - this.#taken;
    if (free > 0) for (const wake of this.#waiting.splice(0, free)) wake();
  }
}

const rateLimiters = new Map<string, RateLimiter>();

/** The one of a server and a model. The first to ask decides how many at once. */
export function rateLimiterOf(server: string, model: string, most: number): RateLimiter {
  const key = `${server} ${model}`;
  const pace = rateLimiters.get(key) ?? new RateLimiter(most);
  rateLimiters.set(key, pace);
  return pace;
}
