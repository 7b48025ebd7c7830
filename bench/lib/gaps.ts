/** Ticks in milliseconds, and the gap between two of them that shows that the machine or this process was suspended. */
const [tickMs, leastGapMs] = [250, 5000];

/** Whether time passed in which nothing ran, so that what was timed meanwhile is void. */
export class GapWatch implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #last = Date.now();
  #longest = 0;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), tickMs);
  }

  /** The longest gap since the last call, in milliseconds; 0 if there was none. */
  take(): number {
    this.#tick();
    const longest = this.#longest;
    this.#longest = 0;
    return longest > leastGapMs ? longest : 0;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = Date.now();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }
}
