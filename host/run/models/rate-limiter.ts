import { deadline, pause, raceSignal } from '../../../bridge/lib/index.ts';
import type { AskPace, ModelRate, PaceQuestion } from './model-pace.ts';

/** The pace of a model for several processes, which may be on other machines. */
export class SharedPace {
  readonly #ask: AskPace;
  readonly #rate: ModelRate;
  /** A time of `performance.now()`: it is not asked before. */
  #lostUntil = 0;

  constructor(ask: AskPace, rate: ModelRate) {
    [this.#ask, this.#rate] = [ask, rate];
  }

  /** Waits until a request may begin. Without an answer in time, it begins: a lost server must not end all work. */
  async enter(model: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const ms = await this.#try('take', model, 0);
      signal.throwIfAborted();
      if (ms <= 0) return;
      // Not all at the same moment.
      await pause(ms + Math.random() * mostJitterMs, signal);
    }
  }

  async hold(model: string, ms: number): Promise<void> {
    await this.#try('hold', model, ms);
  }

  async spend(model: string, tokens: number): Promise<void> {
    await this.#try('spend', model, tokens);
  }

  async #try(kind: PaceQuestion['kind'], model: string, amount: number): Promise<number> {
    if (performance.now() < this.#lostUntil) return 0;
    using limit = deadline('the shared pace', answerMs);
    try {
      return await raceSignal(this.#ask({ kind, model, rate: this.#rate, amount }), limit.signal);
    } catch {
      this.#lostUntil = performance.now() + lostMs;
      return 0;
    }
  }
}

/** The longest time until a shared pace answers, then until it is asked again, in milliseconds. */
const [answerMs, lostMs] = [5000, 30_000];
const mostJitterMs = 250;

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
  readonly #shared: (() => SharedPace | undefined) | undefined;
  readonly #model: string;

  /**
   * @param most turns at once
   * @param model its server and its name
   * @param shared the pace of other processes, too. Default: none
   */
  constructor(most: number, model = '', shared?: () => SharedPace | undefined) {
    this.#most = most;
    this.#model = model;
    this.#shared = shared;
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
      await this.#shared?.()?.enter(this.#model, signal);
      return place;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** An answer came: one more may be asked at once. @param tokens of it */
  speedUp(tokens = 0): void {
    void this.#shared?.()?.spend(this.#model, tokens);
    this.#places = Math.min(this.#most, this.#places + 1);
    this.#wake();
  }

  /** The server said that it is too much: no turn begins for `ms` milliseconds, and then half as many at once. */
  slowDown(ms: number): void {
    this.#places = Math.max(1, Math.floor(this.#places / 2));
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + ms);
    void this.#shared?.()?.hold(this.#model, ms);
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
let sharedPace: SharedPace | undefined;

/** Has all models of this process asked at this pace, too. */
export function sharePace(ask: AskPace, rate: ModelRate): void {
  sharedPace = new SharedPace(ask, rate);
}

/** The one of a server and a model. The first to ask decides how many at once. */
export function rateLimiterOf(server: string, model: string, most: number): RateLimiter {
  const key = `${server} ${model}`;
  const pace = rateLimiters.get(key) ?? new RateLimiter(most, key, () => sharedPace);
  rateLimiters.set(key, pace);
  return pace;
}
