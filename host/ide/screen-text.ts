import type { Mark } from '../../bridge/protocol/index.ts';
import { shorten } from '../../bridge/text/index.ts';
import type { Observation } from './observation.ts';
import { seenText } from './step-text.ts';

/** Characters of a text that has about 2,000 tokens: names of marks, and code, have 3 to 4 characters a token. */
const usualLength = 6000;
/** The parts of the text that editors and terminals may take; other marks take the rest. */
const shares = { editor: 0.45, terminal: 0.15 };
/** The longest line of an editor or a terminal, and the longest name or value of a mark. */
const longest = { line: 160, name: 80 };
/** Rows that say nothing that others don't. */
const leftOutRoles: readonly string[] = ['gutter', 'minimap', 'sticky line'];

/**
 * The screen in words, for models without pictures: what has the focus, the visible lines of editors with their numbers, the
 * last lines of terminals, and the other marks. A number in brackets is a mark, for `click [12]`. Lines around the text cursor
 * and marks that can be acted on come first where all of it would be too long; the last line says what is left out.
 * @param most length in UTF-16 code units; a little more if the window's title is long
 */
export function screenText(observation: Observation, most: number = usualLength): string {
  const { marks, omittedMarks } = observation;
  const head = seenText(observation);
  const lines = marks.filter(({ role }) => role === 'line');
  const rows = marks.filter(({ role }) => role === 'terminal line');
  const others = marks.filter(
    ({ role }) => role !== 'line' && role !== 'terminal line' && !leftOutRoles.includes(role),
  );
  const editor = takeAround(lines.map(formatLine), findCaretLine(observation, lines), most * shares.editor);
  const printed = rows.map((row) => shorten(row.name.trimEnd(), longest.line));
  const terminal = takeAround(printed, printed.length - 1, most * shares.terminal);
  const used = head.length + countCharacters(editor) + countCharacters(terminal);
  const shown = takeAround(
    others.toSorted((one, other) => rankMark(one) - rankMark(other)).map(formatShort),
    0,
    most - used,
  );
  return [
    head,
    ...titled('editor', editor, lines.length),
    ...titled('terminal', terminal, rows.length),
    ...titled('marks', shown, others.length + omittedMarks),
  ].join('\n');
}

function titled(title: string, shown: readonly string[], count: number): string[] {
  if (count === 0) return [];
  const left = count - shown.length;
  return [`${title}:`, ...shown, ...(left > 0 ? [`… ${left} more of ${title} left out`] : [])];
}

/** The line that the text cursor is in; without one the first. */
function findCaretLine({ caret }: Observation, lines: readonly Mark[]): number {
  if (!caret) return 0;
  const middle = caret.y + caret.height / 2;
  const at = lines.findIndex(({ box }) => box.y <= middle && middle < box.y + box.height);
  return Math.max(at, 0);
}

/** Those around one of them, in order, as many as fit. */
function takeAround(texts: readonly string[], centre: number, most: number): readonly string[] {
  let [from, to] = [centre, centre];
  let left = most;
  for (let more = true; more;) {
    more = false;
    for (const at of [to, from - 1]) {
      const text = texts[at];
      if (text === undefined || text.length + 1 > left) continue;
      left -= text.length + 1;
      if (at === to) to += 1;
      else from -= 1;
      more = true;
    }
  }
  return texts.slice(from, to);
}

function countCharacters(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length + 1, 0);
}

/** E.g. `[412] 12: return total`. */
function formatLine({ id, line, name }: Mark): string {
  const number = line === undefined ? '' : ` ${line}:`;
  return `[${id}]${number} ${shorten(name.trimEnd(), longest.line)}`.trimEnd();
}

/** Parts that only hold others, and texts, come last. */
function rankMark({ role }: Mark): number {
  if (role === 'dialog' || role === 'alert' || role === 'alertdialog') return 0;
  return ['group', 'region', 'toolbar', 'tablist', 'list', 'tree', 'breadcrumb', 'img'].includes(role)
    ? 2
    : 1;
}

/** E.g. `[101] textbox "Search" = "def" focused`. */
function formatShort({ id, role, name, value, state }: Mark): string {
  const held = value === undefined ? [] : [`= ${JSON.stringify(shorten(value, longest.name))}`];
  return [`[${id}]`, role, JSON.stringify(shorten(name, longest.name)), ...held, ...Object.keys(state)].join(
    ' ',
  );
}
