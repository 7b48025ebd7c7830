import type { Box, Dialog, Mark, MarksQuery, UnreadPart } from '../../bridge/protocol/index.ts';

/** The number of looks at some of the marks that are remembered besides the session's newest own look. */
const mostPartialLooks = 8;

/** The marks that a caller was shown, and in which observations. */
export class MarkTable {
  readonly #own: MarksQuery;
  /** The newest with the session's own query: steps are compared with it. */
  #base: ComparedObservation | undefined;
  /** Observations with other queries since then, the newest first. */
  #parts: readonly ComparedObservation[] = [];
  /** The newest one that another process has shown, before this caller saw any. */
  #recalled: ComparedObservation | undefined;

  /** @param own the query that narrows a session's observations */
  constructor(own: MarksQuery) {
    this.#own = own;
  }

  /**
   * Notes what is shown.
   * @param query the query that narrowed the observation
   * @returns the changes since the last one with the session's own query
   */
  show(observation: ComparedObservation, query: MarksQuery): MarkChanges {
    const changes = compareMarks(this.#base ?? this.#recalled, observation);
    // Parts that could not be read are compared with what is still known about them.
    if (query !== this.#own || isIncomplete(observation))
      this.#parts = [observation, ...this.#parts].slice(0, mostPartialLooks);
    else if (!isBlind(observation)) [this.#base, this.#parts] = [observation, []];
    return changes;
  }

  /** Until something is shown, compares with what another process has shown, e.g. the previous command. */
  recall(observation: ComparedObservation): void {
    this.#recalled = observation;
  }

  /** Forgets everything that was shown. */
  clear(): void {
    [this.#base, this.#recalled, this.#parts] = [undefined, undefined, []];
  }

  /** The newest observation that showed this caller a mark; undefined, so any valid one, if it was shown nothing. */
  observationOf(mark: number): number | undefined {
    const shown = [...this.#parts, ...(this.#base ? [this.#base] : [])];
    const found = shown.find(({ marks }) => marks.some(({ id }) => id === mark));
    return (found ?? shown[0])?.number;
  }
}

/** The changes of marks by a step, compared with those that its caller knows from before. */
export interface MarkChanges {
  /** The observation they are compared with; null without one, or if nothing could be read: then all is as in `marks`. */
  readonly since: number | null;
  /** Ids of those that were not there. They are among the observation's marks. */
  readonly added: readonly number[];
  /** Ids of those with another name, value or state. A mark that only moved is not among them. */
  readonly changed: readonly number[];
  /** Marks that are gone; if marks are omitted, also those that are now beyond the limit. */
  readonly gone: readonly Pick<Mark, 'id' | 'role' | 'name'>[];
  /** Ids of marks that existed earlier, were missing in the observation before this one (behind a dialog), and are back. */
  readonly back: readonly number[];
  /** Marks in parts of the page that could not be read: whether they still exist is not known. */
  readonly unread: readonly Pick<Mark, 'id' | 'role' | 'name'>[];
}

/** An observation, as far as its marks are compared. */
interface ComparedObservation {
  readonly number: number;
  readonly marks: readonly Mark[];
  readonly dialog?: Dialog | undefined;
  readonly unread?: readonly UnreadPart[];
  /** As {@link MarkChanges.back}, as far as it is known. */
  readonly back?: readonly number[];
  /** The marks in screen coordinates, if they have other coordinates than the unread parts. */
  readonly onScreen?: { readonly marks: readonly Mark[] };
}

/** Behind a dialog, or in a page that is stuck, nothing can be read. That does not mean that anything is gone. */
function isBlind({ marks, dialog, unread = [] }: ComparedObservation): boolean {
  return marks.length === 0 && (dialog !== undefined || unread.some(({ what }) => what === 'page'));
}

/** There was no time to read everything, so missing marks are not gone. */
function isIncomplete({ unread = [] }: ComparedObservation): boolean {
  return unread.some(({ late }) => late);
}

/** @param before the observation that the caller knows */
export function compareMarks(
  before: ComparedObservation | undefined,
  after: ComparedObservation,
): MarkChanges {
  const nothing = { added: [], changed: [], gone: [], back: [], unread: [] };
  if (!before || isBlind(before) || isBlind(after)) return { since: null, ...nothing };
  const { marks } = after;
  const known = new Map(before.marks.map((mark) => [mark.id, mark]));
  const now = new Set(marks.map(({ id }) => id));
  const back = new Set(after.back);
  const fresh = marks.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const missing = (before.onScreen?.marks ?? before.marks).filter(({ id }) => !now.has(id));
  const isUnread = ({ box }: Mark) => (after.unread ?? []).some((part) => mayContain(part, box));
  const words = ({ id, role, name }: Mark) => ({ id, role, name });
  return {
    since: before.number,
    added: fresh.filter((id) => !back.has(id)),
    changed: marks.flatMap((mark) => {
      const was = known.get(mark.id);
      return was && !isSameMark(was, mark) ? [mark.id] : [];
    }),
    gone: missing.filter((mark) => !isUnread(mark)).map(words),
    back: fresh.filter((id) => back.has(id)),
    unread: missing.filter(isUnread).map(words),
  };
}

/** Whether a part that could not be read may have had a mark in it. */
function mayContain({ box: part }: UnreadPart, { x, y, width, height }: Box): boolean {
  if (!part) return true;
  const [across, down] = [x + width / 2 - part.x, y + height / 2 - part.y];
  return across >= 0 && down >= 0 && across < part.width && down < part.height;
}

function isSameMark(one: Mark, other: Mark): boolean {
  return one.name === other.name && one.value === other.value && formatStates(one) === formatStates(other);
}

function formatStates({ state }: Mark): string {
  return Object.keys(state).toSorted().join(' ');
}
