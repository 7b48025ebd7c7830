import type { Dialog, Mark, UnreadPart } from '../../bridge/protocol/index.ts';

/** What a step did to the marks, compared with those that its caller knows from before. */
export interface MarkChanges {
  /** The observation they are compared with; null if there is none, or nothing could be read: then all is as in `marks`. */
  readonly since: number | null;
  /** Ids of those that were not there. They are among the observation's marks. */
  readonly added: readonly number[];
  /** Ids of those with another name, value or state. A mark that only moved is not among them. */
  readonly changed: readonly number[];
  /** Those that are there no more; where marks are omitted, also those that are now beyond the limit. */
  readonly gone: readonly Pick<Mark, 'id' | 'role' | 'name'>[];
}

/** An observation, as far as its marks are compared. */
export interface Shown {
  readonly number: number;
  readonly marks: readonly Mark[];
  readonly dialog?: Dialog | undefined;
  readonly unread?: readonly UnreadPart[];
}

/** Behind a dialog, or from a page that is stuck, nothing can be read: that does not say that anything is gone. */
export function isBlind({ marks, dialog, unread = [] }: Shown): boolean {
  return marks.length === 0 && (dialog !== undefined || unread.some(({ what }) => what === 'page'));
}

/** @param before the observation that the caller knows */
export function changesOf(before: Shown | undefined, after: Shown): MarkChanges {
  if (!before || isBlind(before) || isBlind(after)) return { since: null, added: [], changed: [], gone: [] };
  const { marks } = after;
  const known = new Map(before.marks.map((mark) => [mark.id, mark]));
  const now = new Set(marks.map(({ id }) => id));
  return {
    since: before.number,
    added: marks.flatMap(({ id }) => (known.has(id) ? [] : [id])),
    changed: marks.flatMap((mark) => {
      const was = known.get(mark.id);
      return was && !isSame(was, mark) ? [mark.id] : [];
    }),
    gone: before.marks.flatMap(({ id, role, name }) => (now.has(id) ? [] : [{ id, role, name }])),
  };
}

function isSame(one: Mark, other: Mark): boolean {
  return one.name === other.name && one.value === other.value && states(one) === states(other);
}

function states({ state }: Mark): string {
  return Object.keys(state).toSorted().join(' ');
}
