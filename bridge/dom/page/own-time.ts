/** Maximum milliseconds that count between two looks at the clock: the rest of a longer gap was another process's time. */
const STEP_MS = 4;
/** On a busy machine a reading may take this many times its budget. */
const LONGEST = 4;

/**
 * Time that a reading has used itself. On a busy machine, most of the elapsed time belongs to other processes and says
 * nothing about the size of the page.
 */
export class OwnTime {
  readonly #budgetMs: number;
  readonly #start = performance.now();
  #last = this.#start;
  #ownMs = 0;

  /** @param budgetMs milliseconds of its own after which a reading stops */
  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Call it after each small piece of work. */
  isOver(): boolean {
    const now = performance.now();
    this.#ownMs += Math.min(now - this.#last, STEP_MS);
    this.#last = now;
    return this.#ownMs > this.#budgetMs || now - this.#start > this.#budgetMs * LONGEST;
  }

  /** The elapsed time as a multiple of its own time, 1 to 4: the readings of frames get that much more time. */
  get slowdown(): number {
    const [wall, own] = [this.#last - this.#start, Math.max(this.#ownMs, 1)];
    return wall < FAIR_MS ? 1 : Math.min(LONGEST, Math.max(1, wall / own));
  }
}

/** A reading that took no longer than this was not slowed down. */
const FAIR_MS = 100;
