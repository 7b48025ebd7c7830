import type { Mark } from '../../bridge/protocol/index.ts';
import { markLine, quoted } from './mark-line-text.ts';
import type { MarkChanges } from './mark-changes.ts';
import type { Observation } from './types.ts';

/** Lines of each kind at most: a file that is opened has a hundred marks, of which few matter. */
const most = { added: 30, changed: 15, gone: 10 };
/** Of a name or value. */
const longest = 100;
/** Rows of text: there are many of them, and they are found in the editor as well. */
const rows: readonly string[] = ['gutter', 'line', 'terminal line', 'minimap'];

/** The changes of marks, one a line and the most useful first: `+` added, `~` changed, `-` gone. */
export function changesText({ marks, omittedMarks }: Observation, changes: MarkChanges): string {
  const { since, added, changed, gone } = changes;
  if (since === null) return 'marks: not compared with an earlier observation';
  if (added.length + changed.length + gone.length === 0) return `marks: as in observation ${since}`;
  const byId = new Map(marks.map((mark) => [mark.id, mark]));
  const these = (ids: readonly number[]) => ids.flatMap((id) => byId.get(id) ?? []);
  const left = omittedMarks > 0 ? ' (or beyond the limit)' : '';
  return [
    `marks since observation ${since}: ${added.length} added, ${changed.length} changed, ${gone.length} gone${left}`,
    ...listed('+', these(added), most.added, (mark) => markLine(mark, longest)),
    ...listed('~', these(changed), most.changed, (mark) => markLine(mark, longest)),
    ...listed('-', gone, most.gone, ({ id, role, name }) => `[${id}] ${role} ${quoted(name, longest)}`),
  ].join('\n');
}

function listed<T extends Pick<Mark, 'role'>>(
  sign: string,
  all: readonly T[],
  count: number,
  write: (one: T) => string,
): string[] {
  const ranked = all.toSorted((one, other) => rows.indexOf(one.role) - rows.indexOf(other.role));
  const rest = ranked.slice(count).map(({ role }) => role);
  const lines = ranked.slice(0, count).map((one) => `${sign} ${write(one)}`);
  return rest.length === 0 ? lines : [...lines, `${sign} … and ${rest.length} more: ${counted(rest)}`];
}

/** E.g. `37 line, 2 button`. */
function counted(roles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const role of roles) counts.set(role, (counts.get(role) ?? 0) + 1);
  const parts = [...counts].map(([role, count]) => `${count} ${role}`);
  return parts.length > 5 ? [...parts.slice(0, 5), '…'].join(', ') : parts.join(', ');
}
