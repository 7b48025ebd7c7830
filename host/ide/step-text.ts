import type { Box, Mark, UnreadPart } from '../../bridge/protocol/index.ts';
import { clip } from '../../bridge/text/index.ts';
import type { Settled } from '../node/index.ts';
import type { ActionOutcome } from './effect/index.ts';
import type { MarkChanges } from './mark-table.ts';
import type { Observation, PageText, Pointer, StepInfo } from './observation.ts';

/**
 * A step as text: effect and evidence of each action, why it settled, what is on the screen now, and which marks are new,
 * changed or gone.
 */
export function stepText(observation: Observation, info: StepInfo): string {
  const outcome = outcomeText(observation, info);
  return info.withheld === undefined ? `${outcome}\n${changesText(observation, info.marks)}` : outcome;
}

/** The same without marks, for callers that list all of them. */
export function outcomeText(observation: Observation, info: StepInfo): string {
  const outcomes = [...beforeText(info), ...unplayedText(info), ...triedIn(info).map(effectText)];
  const later = info.skipped.length;
  const skipped = later === 0 ? [] : [`not tried: ${later} later ${later === 1 ? 'action' : 'actions'}`];
  const end = info.withheld ?? `${settledText(info.settled)}\n${seenText(observation)}`;
  return [...outcomes, ...skipped, end].join('\n');
}

/** The number of actions that were not played since a later one of their batch can't be read: that one says why. */
function unplayedText(info: StepInfo): string[] {
  const count = info.outcomes.length - triedIn(info).length;
  if (count === 0) return [];
  return [`not played: ${count} ${count === 1 ? 'action' : 'actions'}, since the next one can't be read`];
}

function triedIn({ outcomes }: StepInfo): ActionOutcome[] {
  return outcomes.filter(({ untried }) => untried !== true);
}

/** What happened before it, as a line. */
export function beforeText({ meanwhile }: Pick<StepInfo, 'meanwhile'>): string[] {
  return meanwhile === undefined ? [] : [`before this step: ${meanwhile}`];
}

/** Effect and evidence of one action, and its output. If that begins with the evidence, the evidence is not repeated. */
export function effectText({
  effect,
  evidence,
  output,
}: Pick<ActionOutcome, 'effect' | 'evidence'> & Partial<Pick<ActionOutcome, 'output'>>): string {
  if (output === undefined) return `${effect}: ${evidence}`;
  return `${output}\n`.startsWith(`${evidence}\n`)
    ? `${effect}: ${output}`
    : `${effect}: ${evidence}\n${output}`;
}

/** Why a step ended, e.g. `settled after 312 ms (quiet)`. */
export function settledText({ ms, reason, busy }: Settled): string {
  const rest =
    busy.length > 0 ? `, ${reason === 'quiet' ? 'busy as before' : 'still busy'}: ${busy.join(', ')}` : '';
  return `settled after ${Math.round(ms)} ms (${reason}${rest})`;
}

/** One line about the screen, then the marks. */
export function observationText(observation: Observation): string {
  return `${seenText(observation)}\n${marksText(observation)}`;
}

/** One line about the screen, and the changes by people before. */
export function seenText(observation: Observation): string {
  const { personChanges } = observation;
  return [headline(observation), ...(personChanges === undefined ? [] : [personChanges])].join('\n');
}

/** Number, title and focus, and parts that could not be read; or the dialog in front of everything. */
export function headline({ number, focus, marks, title, dialog, unread = [] }: Observation): string {
  if (dialog) return `observation ${number}: the browser asks (${dialog.type}): ${dialog.message}`;
  const missing = unread.length > 0 ? ` (not read: ${unread.map(({ what }) => what).join(', ')})` : '';
  return `observation ${number}: "${title}", focus on ${focus ? `${focus.role} "${focus.name}"` : 'nothing'}, ${marks.length} marks${missing}`;
}

/** The marks, one per line, and how many are omitted. */
export function marksText({ marks, omittedMarks, unread = [] }: Observation): string {
  return [
    ...(marks.length === 0 && omittedMarks === 0 ? ['no marks'] : []),
    ...marks.map((mark) => formatMark(mark)),
    ...(omittedMarks > 0 ? [`… and ${omittedMarks} more: narrow the question by within, role or text`] : []),
    ...unreadLines(unread),
  ].join('\n');
}

/** Readable text that is not in a mark, one piece per line. */
export function pageText({ pieces, omitted, unread }: PageText): string {
  return [
    ...pieces.map(({ text, box }) => `text ${JSON.stringify(text)} ${formatBox(box)}`),
    ...(omitted > 0 ? [`… and ${omitted} more: narrow the question by within`] : []),
    ...unread.map((what) => `not read: ${what}`),
  ].join('\n');
}

/** E.g. `x:20 y:40`, and the element there. */
export function pointerText({ x, y, under }: Pointer): string {
  const at = `x:${x} y:${y}`;
  if (!under) return `${at}\nunder it: nothing that is known`;
  const { mark: id, ...rest } = under;
  return `${at}\nunder it: ${formatMark({ id, ...rest })}`;
}

/**
 * Limits for each kind: an opened file has a hundred marks, few of which matter, and an agent reads all of this after
 * each step.
 */
const mostListed = { added: 20, changed: 10, numbers: 20 };
/** The maximum length of a name or value. */
const longestName = 100;
/** Rows of text: there are many of them, and they can also be found in the editor. */
const rowRoles: readonly string[] = ['gutter', 'line', 'sticky line', 'terminal line', 'minimap'];

/**
 * The changes of marks: `+` added and `~` changed, one a line and the most useful first; `-` the numbers that are gone,
 * `=` those that are back. Elements that only came back under another number, such as a redrawn toolbar, follow the new
 * ones. Parts that could not be read come last.
 */
function changesText(observation: Observation, changes: MarkChanges): string {
  return [comparedText(observation, changes), ...unreadLines(observation.unread)].join('\n');
}

/** The parts that could not be read, one per line. */
function unreadLines(unread: readonly UnreadPart[] = []): string[] {
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
    ...listMarks('+', these(added), mostListed.added, new Set(gone.map(formatRoleAndName))),
    ...listMarks('~', these(changed), mostListed.changed),
    ...numbersLine(
      '-',
      gone.map(({ id }) => id),
    ),
    ...numbersLine('=', back),
  ].join('\n');
}

function numbersLine(sign: string, ids: readonly number[]): string[] {
  if (ids.length === 0) return [];
  const numbers = ids.slice(0, mostListed.numbers).map((id) => `[${id}]`);
  const more = ids.length - numbers.length;
  return [`${sign} ${numbers.join(' ')}${more > 0 ? ` … and ${more} more` : ''}`];
}

const formatRoleAndName = ({ role, name }: Pick<Mark, 'role' | 'name'>) => `${role} ${name}`;

/** @param known marks that are not new, by {@link formatRoleAndName} */
function listMarks(
  sign: string,
  all: readonly Mark[],
  count: number,
  known: ReadonlySet<string> = new Set(),
): string[] {
  const rank = (mark: Mark) =>
    rowRoles.includes(mark.role) ? 2 : known.has(formatRoleAndName(mark)) ? 1 : 0;
  const ranked = all.toSorted(
    (one, other) => rank(one) - rank(other) || rowRoles.indexOf(one.role) - rowRoles.indexOf(other.role),
  );
  const rest = ranked.slice(count).map(({ role }) => role);
  const lines = ranked.slice(0, count).map((mark) => `${sign} ${formatMark(mark, longestName)}`);
  return rest.length === 0 ? lines : [...lines, `${sign} … and ${rest.length} more: ${countRoles(rest)}`];
}

/** E.g. `37 line, 2 button`. */
function countRoles(roles: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const role of roles) counts.set(role, (counts.get(role) ?? 0) + 1);
  const parts = [...counts].map(([role, count]) => `${count} ${role}`);
  return parts.length > 5 ? [...parts.slice(0, 5), '…'].join(', ') : parts.join(', ');
}

/**
 * A mark as text: id, role, line number, name, box, value, states. Without an id for text that is not a mark.
 * @param longest characters of the name, and of the value
 */
function formatMark(
  { id, role, name, value, line, state, box }: Omit<Mark, 'id'> & { readonly id: number | null },
  longest = Number.POSITIVE_INFINITY,
): string {
  const held = value === undefined ? [] : [`= ${quoteClipped(value, longest)}`];
  const number = id === null ? [] : [`[${id}]`];
  const kind = line === undefined ? role : `${role} ${line}`;
  return [...number, kind, quoteClipped(name, longest), formatBox(box), ...held, ...Object.keys(state)].join(
    ' ',
  );
}

/** Place and size in whole pixels. */
function formatBox({ x, y, width, height }: Box): string {
  return `${Math.round(x)},${Math.round(y)} ${Math.round(width)}x${Math.round(height)}`;
}

/** A text in quotes, cut after a number of characters. */
function quoteClipped(text: string, longest: number): string {
  return JSON.stringify(text.length > longest ? `${clip(text, longest)}…` : text);
}
