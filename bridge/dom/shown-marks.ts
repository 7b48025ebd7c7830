import {
  type Box,
  type DomGlance,
  type DomNumbers,
  type DomObservation,
  ErrorCode,
  type Mark,
  type MarksQuery,
  RpcError,
} from '../protocol/index.ts';
import { clip } from '../text/index.ts';
import type { BrowserPage } from './browser-page.ts';
import type { PageReading } from './reading.ts';

/** One look at the page that has the keyboard. */
export interface PageLook {
  readonly page: BrowserPage;
  readonly spots: PageReading['spots'];
  readonly seen: DomGlance;
}

interface ValidObservation {
  readonly page: BrowserPage;
  readonly spots: PageReading['spots'];
  readonly last: DomObservation;
}

/** Where an element is read. */
interface MarkedElement {
  /** Its id in its page. */
  readonly element: number;
  readonly page: BrowserPage;
  readonly path: NonNullable<ReturnType<ValidObservation['spots']['get']>>;
}

/** Observations of some marks alone that stay valid beside each other. */
const MAX_PARTS = 8;
/** The key of the observation of all marks. */
const allMarksKey = '';

/** The marks that callers have been shown, their numbers, and which of them may still be clicked. */
export class ShownMarks {
  readonly #numbers = new MarkNumbers();
  /** The newest observation of all marks, and later ones of some marks, by their queries. */
  readonly #valid = new Map<string, ValidObservation>();
  #newest: ValidObservation | undefined;
  /** The newest observation of all marks that had enough time. */
  #whole: DomObservation | undefined;
  #observation = 0;

  /** The newest observation; undefined before the first, and after a restore. */
  get newest(): ValidObservation | undefined {
    return this.#newest;
  }

  /** The newest observation of all marks that was not cut for lack of time: a mark missing in it does not exist. */
  get whole(): DomObservation | undefined {
    return this.#whole;
  }

  /** How far the numbers are used. */
  get used(): DomNumbers {
    return { observation: this.#observation, mark: this.#numbers.position };
  }

  /** The number of an element that was shown; undefined for any other. */
  numberOf(element: number): number | undefined {
    return this.#numbers.numberOf(element);
  }

  /** Numbers a look that its caller may click in. */
  observe({ page, spots, seen }: PageLook, query: MarksQuery): DomObservation {
    const observation = ++this.#observation;
    const before = new Set(this.#whole?.marks.map(({ id }) => id));
    const known = new Set(seen.marks.map(({ id }) => this.numberOf(id)));
    const marks = this.#numbers.give(seen.marks, observation, false);
    const back = marks.flatMap(({ id }) => (known.has(id) && !before.has(id) ? [id] : []));
    const last = { ...seen, marks, observation, back, given: this.#numbers.position };
    this.#newest = { page, spots, last };
    if (!isPartialQuery(query) && !last.unread.some(({ late }) => late)) this.#whole = last;
    this.#remember(isPartialQuery(query) ? JSON.stringify(query) : allMarksKey, this.#newest);
    return last;
  }

  /** Numbers a look that changes nothing for others. */
  glance({ seen }: PageLook): DomGlance {
    return { ...seen, marks: this.#numbers.give(seen.marks, this.#observation, true) };
  }

  /** Continues after these numbers; earlier marks may no longer be clicked. */
  renumber({ observation, mark }: DomNumbers): DomNumbers {
    this.#observation = Math.max(this.#observation, observation);
    this.#numbers.passOver(mark, this.#observation);
    this.#valid.clear();
    this.#newest = undefined;
    this.#whole = undefined;
    return this.used;
  }

  /**
   * Finds the element of a number.
   * @param observation the one that the caller refers to; undefined for any that is valid
   * @throws RpcError `NotFound` for a number that was never shown, `Stale` for one of an older observation
   */
  find(number: number, observation: number | undefined): MarkedElement {
    const known = this.#numbers.find(number);
    if (!known || this.#valid.size === 0)
      throw new RpcError(ErrorCode.NotFound, `there is no mark ${number}; observe first`);
    for (const { page, spots, last } of this.#valid.values()) {
      const path = spots.get(known.element);
      if (path && (observation ?? last.observation) === last.observation)
        return { element: known.element, page, path };
    }
    throw new RpcError(ErrorCode.Stale, this.#whyStale(number, known.mark));
  }

  #remember(query: string, observed: ValidObservation): void {
    if (query === allMarksKey) this.#valid.clear();
    this.#valid.delete(query);
    this.#valid.set(query, observed);
    const parts = [...this.#valid.keys()].filter((key) => key !== allMarksKey);
    for (const key of parts.slice(0, -MAX_PARTS)) this.#valid.delete(key);
  }

  /** The analysis of studies recognizes a stale mark by the first words. */
  #whyStale(number: number, mark: Omit<Mark, 'id'>): string {
    const [x, y] = [mark.box.x + mark.box.width / 2, mark.box.y + mark.box.height / 2];
    const [there] = (this.#newest?.last.marks ?? [])
      .filter(({ id, box }) => id !== number && isInBox(box, x, y))
      .toSorted((one, other) => computeArea(one.box) - computeArea(other.box));
    const old = `mark ${number}, ${describeMark(mark)}, is of an older observation; the newest is ${this.#observation}`;
    return there ? `${old}; in its place is [${there.id}] ${describeMark(there)}` : old;
  }
}

/** Whether only some of the marks are requested. */
export function isPartialQuery({ within, role, text }: MarksQuery): boolean {
  return (within ?? role ?? text) !== undefined;
}

function describeMark({ role, name }: Omit<Mark, 'id'>): string {
  return `${role} ${JSON.stringify(clip(name, 80))}`;
}

function isInBox({ x, y, width, height }: Box, atX: number, atY: number): boolean {
  return atX >= x && atX < x + width && atY >= y && atY < y + height;
}

function computeArea({ width, height }: Box): number {
  return width * height;
}

/** Three digits: longer labels don't fit beside the lines and icons of a workbench. */
const SHORT_NUMBERS = 999;
/** A number is not reused for this many observations after it was last shown. */
const KEPT_OBSERVATIONS = 20;
/** More than this many observations can show. */
const LONG_NUMBERS = 50_000;

/** The element that last had a number. */
interface NumberedElement {
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
  readonly #given = new Map<number, NumberedElement>();
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
      const id =
        this.#numbers.get(element) ?? this.#take(this.#free(observation), element, -KEPT_OBSERVATIONS);
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
    const from = Math.max(this.#position, position - SHORT_NUMBERS);
    for (let passed = from; passed < position; passed += 1)
      this.#take((passed % SHORT_NUMBERS) + 1, 0, observation);
    this.#position = Math.max(this.#position, position);
    for (const number of this.#given.keys()) if (number > SHORT_NUMBERS) this.#take(number, 0, observation);
  }

  #free(observation: number): number {
    for (let tried = 0; tried < SHORT_NUMBERS; tried += 1) {
      const number = (this.#position++ % SHORT_NUMBERS) + 1;
      if (this.#isFree(number, observation)) return number;
    }
    for (;;) {
      const number = SHORT_NUMBERS + 1 + (this.#longPosition++ % LONG_NUMBERS);
      if (this.#isFree(number, observation)) return number;
    }
  }

  #isFree(number: number, observation: number): boolean {
    const given = this.#given.get(number);
    return (
      given === undefined || (given.shown + KEPT_OBSERVATIONS < observation && given.read < this.#reading)
    );
  }

  #take(number: number, element: number, shown: number): number {
    const before = this.#given.get(number);
    if (before) this.#numbers.delete(before.element);
    this.#given.set(number, { element, shown, read: this.#reading, mark: undefined });
    if (element > 0) this.#numbers.set(element, number);
    return number;
  }
}
