import { clip } from '../lib/index.ts';
import {
  ErrorCode,
  RpcError,
  type Box,
  type DomGlance,
  type DomNumbers,
  type DomObservation,
  type Mark,
  type MarksQuery,
} from '../protocol/index.ts';
import { MarkNumbers } from './mark-numbers.ts';
import type { Page } from './page.ts';
import type { WholeReading } from './reading.ts';

/** One look at the page that has the keyboard. */
export interface Look {
  readonly page: Page;
  readonly spots: WholeReading['spots'];
  readonly seen: DomGlance;
}

interface Observed {
  readonly page: Page;
  readonly spots: WholeReading['spots'];
  readonly last: DomObservation;
}

/** Where an element is read. */
interface Spot {
  /** Its id in its page. */
  readonly element: number;
  readonly page: Page;
  readonly path: NonNullable<ReturnType<Observed['spots']['get']>>;
}

/** Observations of some marks alone that stay valid beside each other. */
const MAX_PARTS = 8;
/** The key of the observation of all marks. */
const all = '';

/** The marks that callers have been shown, their numbers, and which of them may still be clicked. */
export class ShownMarks {
  readonly #numbers = new MarkNumbers();
  /** The newest observation of all marks, and later ones of some marks, by their queries. */
  readonly #valid = new Map<string, Observed>();
  #newest: Observed | undefined;
  /** The newest observation of all marks that had enough time. */
  #whole: DomObservation | undefined;
  #observation = 0;

  /** The newest observation; undefined before the first, and after a restore. */
  get newest(): Observed | undefined {
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
  observe({ page, spots, seen }: Look, query: MarksQuery): DomObservation {
    const observation = ++this.#observation;
    const before = new Set(this.#whole?.marks.map(({ id }) => id));
    const known = new Set(seen.marks.map(({ id }) => this.numberOf(id)));
    const marks = this.#numbers.give(seen.marks, observation, false);
    const back = marks.flatMap(({ id }) => (known.has(id) && !before.has(id) ? [id] : []));
    const last = { ...seen, marks, observation, back, given: this.#numbers.position };
    this.#newest = { page, spots, last };
    if (!isPart(query) && !last.unread.some(({ late }) => late)) this.#whole = last;
    this.#remember(isPart(query) ? JSON.stringify(query) : all, this.#newest);
    return last;
  }

  /** Numbers a look that changes nothing for others. */
  glance({ seen }: Look): DomGlance {
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
  find(number: number, observation: number | undefined): Spot {
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

  #remember(query: string, observed: Observed): void {
    if (query === all) this.#valid.clear();
    this.#valid.delete(query);
    this.#valid.set(query, observed);
    const parts = [...this.#valid.keys()].filter((key) => key !== all);
    for (const key of parts.slice(0, -MAX_PARTS)) this.#valid.delete(key);
  }

  /** The analysis of studies recognizes a stale mark by the first words. */
  #whyStale(number: number, mark: Omit<Mark, 'id'>): string {
    const [x, y] = [mark.box.x + mark.box.width / 2, mark.box.y + mark.box.height / 2];
    const [there] = (this.#newest?.last.marks ?? [])
      .filter(({ id, box }) => id !== number && isIn(box, x, y))
      .toSorted((one, other) => areaOf(one.box) - areaOf(other.box));
    const old = `mark ${number}, ${describe(mark)}, is of an older observation; the newest is ${this.#observation}`;
    return there ? `${old}; in its place is [${there.id}] ${describe(there)}` : old;
  }
}

/** Whether only some of the marks are requested. */
export function isPart({ within, role, text }: MarksQuery): boolean {
  return (within ?? role ?? text) !== undefined;
}

function describe({ role, name }: Omit<Mark, 'id'>): string {
  return `${role} ${JSON.stringify(clip(name, 80))}`;
}

function isIn({ x, y, width, height }: Box, atX: number, atY: number): boolean {
  return atX >= x && atX < x + width && atY >= y && atY < y + height;
}

function areaOf({ width, height }: Box): number {
  return width * height;
}
