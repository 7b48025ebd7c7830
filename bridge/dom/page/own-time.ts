/** Milliseconds between two looks at the clock that count at most: longer, and another process had the processor. */
const STEP_MS = 4;
/** On a busy machine a reading may take so many times its budget. */
const LONGEST = 4;

/**
 * Time that a reading has used itself. On a busy machine most of the time on the clock is other processes', which says
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

  /** To be asked after each small piece of work. */
  isOver(): boolean {
    const now = performance.now();
    this.#ownMs += Math.min(now - this.#last, STEP_MS);
    this.#last = now;
    return this.#ownMs > this.#budgetMs || now - this.#start > this.#budgetMs * LONGEST;
  }

  /** How many times as long as its own time all of it took, 1 to 4: others get as much more of it. */
  get slowdown(): number {
    const [wall, own] = [this.#last - this.#start, Math.max(this.#ownMs, 1)];
    return wall < FAIR_MS ? 1 : Math.min(LONGEST, Math.max(1, wall / own));
  }
}

/** A reading that took no longer than this was not slowed down. */
const FAIR_MS = 100;
