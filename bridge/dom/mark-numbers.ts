import type { Mark } from '../protocol/index.ts';

/** Three digits: longer labels don't fit beside the lines and icons of a workbench. */
const SHORT = 999;
/** A number is not reused for this many observations after it was last shown. */
const KEPT = 20;
/** More than this many observations can show. */
const LONG = 50_000;

/** The element that last had a number. */
interface Given {
  /** The element's id in its page; 0 for one of an abandoned branch. */
  readonly element: number;
  /** The newest observation that showed it. */
  shown: number;
  /** The newest reading, or glance, that had it. */
  read: number;
  mark: Omit<Mark, 'id'> | undefined;
}

/**
 * Gives short numbers to elements. An element keeps its number as long as it lives, unless it has not been shown for
 * long and the number is needed. Where more than 999 were shown in the last 20 observations, numbers get longer.
 */
export class MarkNumbers {
  readonly #given = new Map<number, Given>();
  readonly #numbers = new Map<number, number>();
  /** How far the numbers up to 999 have been gone through, round after round, and the longer ones. */
  #position = 0;
  #longPosition = 0;
  #reading = 0;

  /** Rises as numbers are given; {@link passOver} takes it. */
  get position(): number {
    return this.#position;
  }

  /**
   * Puts numbers in place of the ids that elements have in their page.
   * @param observation the newest
   * @param glance true if it does not show them: they can't be clicked by these numbers yet
   */
  give(marks: readonly Mark[], observation: number, glance: boolean): Mark[] {
    this.#reading += 1;
    return marks.map(({ id: element, ...mark }) => {
      const id = this.#numbers.get(element) ?? this.#take(this.#free(observation), element, -KEPT);
      const given = this.#given.get(id);
      if (given) given.read = this.#reading;
      if (given && !glance) [given.shown, given.mark] = [observation, mark];
      return { id, ...mark };
    });
  }

  /** The element's id and what it showed last; undefined for a number that was never given, or not in this branch. */
  find(number: number): { readonly element: number; readonly mark: Omit<Mark, 'id'> } | undefined {
    const given = this.#given.get(number);
    return given?.mark && { element: given.element, mark: given.mark };
  }

  /** The number of an element that was shown; undefined for any other. */
  numberOf(element: number): number | undefined {
    const number = this.#numbers.get(element);
    return number !== undefined && this.find(number) ? number : undefined;
  }

  /**
   * Treats the numbers up to a position as given, in a branch that this one does not continue.
   * @param observation the newest one of that branch
   */
  passOver(position: number, observation: number): void {
    const from = Math.max(this.#position, position - SHORT);
    for (let passed = from; passed < position; passed += 1) this.#take((passed % SHORT) + 1, 0, observation);
    this.#position = Math.max(this.#position, position);
    for (const number of this.#given.keys()) if (number > SHORT) this.#take(number, 0, observation);
  }

  #free(observation: number): number {
    for (let tried = 0; tried < SHORT; tried += 1) {
      const number = (this.#position++ % SHORT) + 1;
      if (this.#isFree(number, observation)) return number;
    }
    for (;;) {
      const number = SHORT + 1 + (this.#longPosition++ % LONG);
      if (this.#isFree(number, observation)) return number;
    }
  }

  #isFree(number: number, observation: number): boolean {
    const given = this.#given.get(number);
    return given === undefined || (given.shown + KEPT < observation && given.read < this.#reading);
  }

  #take(number: number, element: number, shown: number): number {
    const before = this.#given.get(number);
    if (before) this.#numbers.delete(before.element);
    this.#given.set(number, { element, shown, read: this.#reading, mark: undefined });
    if (element > 0) this.#numbers.set(element, number);
    return number;
  }
}
