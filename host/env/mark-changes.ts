import type { Box, Dialog, Mark, UnreadPart } from '../../bridge/protocol/index.ts';

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
export interface Shown {
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
export function isBlind({ marks, dialog, unread = [] }: Shown): boolean {
  return marks.length === 0 && (dialog !== undefined || unread.some(({ what }) => what === 'page'));
}

/** There was no time to read everything, so missing marks are not gone. */
export function isCut({ unread = [] }: Shown): boolean {
  return unread.some(({ late }) => late);
}

/** @param before the observation that the caller knows */
export function changesOf(before: Shown | undefined, after: Shown): MarkChanges {
  const nothing = { added: [], changed: [], gone: [], back: [], unread: [] };
  if (!before || isBlind(before) || isBlind(after)) return { since: null, ...nothing };
  const { marks } = after;
  const known = new Map(before.marks.map((mark) => [mark.id, mark]));
  const now = new Set(marks.map(({ id }) => id));
  const back = new Set(after.back);
  const fresh = marks.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const missing = (before.onScreen?.marks ?? before.marks).filter(({ id }) => !now.has(id));
  const isUnread = ({ box }: Mark) => (after.unread ?? []).some((part) => mayHold(part, box));
  const words = ({ id, role, name }: Mark) => ({ id, role, name });
  return {
    since: before.number,
    added: fresh.filter((id) => !back.has(id)),
    changed: marks.flatMap((mark) => {
      const was = known.get(mark.id);
      return was && !isSame(was, mark) ? [mark.id] : [];
    }),
    gone: missing.filter((mark) => !isUnread(mark)).map(words),
    back: fresh.filter((id) => back.has(id)),
    unread: missing.filter(isUnread).map(words),
  };
}

/** Whether a part that could not be read may have had a mark in it. */
function mayHold({ box: part }: UnreadPart, { x, y, width, height }: Box): boolean {
  if (!part) return true;
  const [across, down] = [x + width / 2 - part.x, y + height / 2 - part.y];
  return across >= 0 && down >= 0 && across < part.width && down < part.height;
}

function isSame(one: Mark, other: Mark): boolean {
  return one.name === other.name && one.value === other.value && states(one) === states(other);
}

function states({ state }: Mark): string {
  return Object.keys(state).toSorted().join(' ');
}
