/** Numbers that follow from a seed alone, the same on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds begin far apart.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  }

  /** From 0, included, to 1, excluded. */
  number(): number {
    // The generator that is known as mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.number() * (to - from + 1));
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    const [one] = this.sample(list, 1);
    if (one === undefined) throw new Error('random.pick: nothing to pick from');
    return one;
  }

  /** Another order; the list itself stays as it is. */
  shuffle<T>(list: readonly T[]): T[] {
    const left = [...list];
    return list.flatMap(() => left.splice(this.int(0, left.length - 1), 1));
  }

  /** So many different ones, in any order. */
  sample<T>(list: readonly T[], count: number): T[] {
    return this.shuffle(list).slice(0, count);
  }
}
