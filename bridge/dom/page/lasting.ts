/** A change that comes sooner than this after input may be its answer, in milliseconds. */
const ANSWER_MS = 1000;
/** A change that has gone on for this long before input is not an answer to it. */
const PROVEN_MS = 2000;
/** A place that does not change for this long is at rest. */
const GAP_MS = 600;

/** A place that changes repeatedly. */
interface Chain {
  since: number;
  last: number;
}

/**
 * Distinguishes places that change repeatedly without input, such as an animation that a script plays, from answers to
 * input. Times are milliseconds of one clock.
 */
export class Lasting<Place extends WeakKey> {
  readonly #chains = new WeakMap<Place, Chain>();
  #input = -Infinity;

  /** Input has come. */
  input(now: number): void {
    this.#input = now;
  }

  /** A place has changed. Returns whether that went on before the last input, and for long. */
  note(place: Place, now: number): boolean {
    const known = this.#chains.get(place);
    const chain = known && now - known.last <= GAP_MS ? known : { since: now, last: now };
    // A chain begins once answers to the input have ended.
    if (!this.#isProven(chain) && now - this.#input < ANSWER_MS) chain.since = now;
    chain.last = now;
    this.#chains.set(place, chain);
    return this.#isProven(chain);
  }

  /** Whether a place is one that has changed for long before the last input, and still does. */
  has(place: Place, now: number): boolean {
    const chain = this.#chains.get(place);
    return chain !== undefined && now - chain.last <= GAP_MS && this.#isProven(chain);
  }

  #isProven({ since }: Chain): boolean {
    return since <= this.#input - PROVEN_MS;
  }
}
