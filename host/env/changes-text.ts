import type { Mark, UnreadPart } from '../../bridge/protocol/index.ts';
import { markLine } from './mark-line-text.ts';
import type { MarkChanges } from './mark-changes.ts';
import type { Observation } from './types.ts';

/**
 * Limits for each kind: an opened file has a hundred marks, few of which matter, and an agent reads all of this after
 * each step.
 */
const most = { added: 20, changed: 10, numbers: 20 };
/** The maximum length of a name or value. */
const longest = 100;
/** Rows of text: there are many of them, and they can also be found in the editor. */
const rows: readonly string[] = ['gutter', 'line', 'sticky line', 'terminal line', 'minimap'];

/**
 * The changes of marks: `+` added and `~` changed, one a line and the most useful first; `-` the numbers that are gone,
 * `=` those that are back. Elements that only came back under another number, such as a redrawn toolbar, follow the new
 * ones. Parts that could not be read come last.
 */
export function changesText(observation: Observation, changes: MarkChanges): string {
  return [comparedText(observation, changes), ...unreadLines(observation.unread)].join('\n');
}

/** The parts that could not be read, one per line. */
export function unreadLines(unread: readonly UnreadPart[] = []): string[] {
  return unread.map(({ what, why }) => `not read: ${what}: ${why}`);
}

function comparedText({ marks, omittedMarks }: Observation, changes: MarkChanges): string {
  const { since, added, back, changed, gone, unread } = changes;
  if (since === null) return 'marks: not compared with an earlier observation';
  if (added.length + back.length + changed.length + gone.length + unread.length === 0)
    return `marks: as in observation ${since}`;
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  const these = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const left = omittedMarks > 0 ? ' (or beyond the limit)' : '';
  return [
    [
      `marks since observation ${since}: ${added.length} added`,
      ...(back.length > 0 ? [`${back.length} came back`] : []),
      `${changed.length} changed, ${gone.length} gone${left}`,
      ...(unread.length > 0 ? [`${unread.length} were not read and may be there still`] : []),
    ].join(', '),
    ...listed('+', these(added), most.added, new Set(gone.map(wordsOf))),
    ...listed('~', these(changed), most.changed),
    ...numbersLine(
      '-',
      gone.map(({ id }) => id),
    ),
    ...numbersLine('=', back),
  ].join('\n');
}

function numbersLine(sign: string, ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  const numbers = ids.slice(0, most.numbers).map((id) => `[${id}]`);
  const more = ids.length - numbers.length;
  return [`${sign} ${numbers.join(' ')}${more > 0 ? ` … and ${more} more` : ''}`];
}

const wordsOf = ({ role, name }: Pick<Mark, 'role' | 'name'>) => `${role} ${name}`;

/** @param known marks that are not new, by {@link wordsOf} */
function listed(
  sign: string,
  all: readonly Mark[],
  count: number,
  known: ReadonlySet<string> = new Set(),
): string[] {
  const rank = (mark: Mark) => (rows.includes(mark.role) ? 2 : known.has(wordsOf(mark)) ? 1 : 0);
  const ranked = all.toSorted(
    (one, other) => rank(one) - rank(other) || rows.indexOf(one.role) - rows.indexOf(other.role),
  );
  const rest = ranked.slice(count).map(({ role }) => role);
  const lines = ranked.slice(0, count).map((mark) => `${sign} ${markLine(mark, longest)}`);
  return rest.length === 0 ? lines : [...lines, `${sign} … and ${rest.length} more: ${counted(rest)}`];
}

/** E.g. `37 line, 2 button`. */
function counted(roles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const role of roles) counts.set(role, (counts.get(role) ?? 0) + 1);
  const parts = [...counts].map(([role, count]) => `${count} ${role}`);
  return parts.length > 5 ? [...parts.slice(0, 5), '…'].join(', ') : parts.join(', ');
}
