import { describeError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { Action, ComputerCall, MarkAction, MarkVerb } from './action.ts';
import { badAction, tokenizeLine } from './line-words.ts';
import { isXdotoolCommand } from './xdotool.ts';

/**
 * The action of a line. The words of an xdotool line and the fields of a computer action are not read yet. Errors:
 * `bad-action`.
 */
export function readActionLine(line: string): Action {
  const trimmed = line.trim();
  const mark = readMarkLine(trimmed);
  if (mark) return { kind: 'mark', ...mark };
  if (/^xdotool(\s|$)/.test(trimmed)) return { kind: 'xdotool', line: trimmed };
  if (trimmed.startsWith('{')) return readComputerLine(trimmed);
  if (/^dialog(\s|$)/.test(trimmed)) return readDialogLine(trimmed);
  const bracketed = suggestBrackets(trimmed);
  if (bracketed !== undefined) {
    const button = /^click [1-9]$/.test(trimmed) ? `, or a button of the mouse: xdotool ${trimmed}` : '';
    throw badAction(`no action: '${trimmed}'`, `A mark's number is in brackets: ${bracketed}${button}.`);
  }
  const start = trimmed.length > 60 ? `${clip(trimmed, 60)}…` : trimmed;
  const lacksName = isXdotoolCommand(/^\w+/.exec(trimmed)?.[0] ?? '') && !trimmed.includes('[');
  throw badAction(
    `no action: '${start}'`,
    lacksName
      ? `Begin it with xdotool: xdotool ${start}`
      : "Expected an xdotool line, a mark with click, double_click, triple_click, right_click, middle_click or hover, e.g. click [12], drag [12] to [15], scroll [12] down 3, type [12] 'text', a computer action as JSON, or dialog accept.",
  );
}

function readComputerLine(line: string): Action {
  try {
    return { kind: 'computer', call: JSON.parse(line) as ComputerCall };
  } catch (error) {
    throw badAction('a computer action that is not JSON', describeError(error));
  }
}

function readDialogLine(line: string): Action {
  const [, verb, text, ...rest] = tokenizeLine(line).flat();
  const expected = "Expected dialog accept, dialog accept 'text', or dialog dismiss.";
  if (rest.length > 0 || (verb?.text !== 'accept' && (verb?.text !== 'dismiss' || text !== undefined)))
    throw badAction('no answer to a dialog', expected);
  return { kind: 'dialog', accept: verb.text === 'accept', ...(text && { text: text.text }) };
}

const markNumber = String.raw`\[\s*(\d{1,9})\s*\]`;
const pointerLine = new RegExp(
  `^(click|double_click|triple_click|right_click|middle_click|hover)\\s*${markNumber}$`,
);
const dragLine = new RegExp(`^drag\\s*${markNumber}\\s*to\\s*${markNumber}$`);
const scrollLine = new RegExp(`^scroll\\s*${markNumber}\\s+(up|down|left|right)(?:\\s+(\\d{1,3}))?$`);
const typeLine = new RegExp(`^type\\s*${markNumber}\\s+(.+)$`, 'su');

/** Notches of the wheel. */
const scrollNotches = { usual: 3, most: 100 } as const;

/** The action of a line on marks, e.g. `click [12]`, `drag [12] to [15]`, `type [12] 'text'`; null for any other line. */
function readMarkLine(line: string): MarkAction | null {
  const pointer = pointerLine.exec(line);
  if (pointer) return { verb: pointer[1] as MarkVerb, mark: Number(pointer[2]) };
  const drag = dragLine.exec(line);
  if (drag) return { verb: 'drag', mark: Number(drag[1]), to: Number(drag[2]) };
  const scroll = scrollLine.exec(line);
  if (scroll)
    return makeScroll(
      Number(scroll[1]),
      scroll[2] as ScrollDirection,
      Number(scroll[3] ?? scrollNotches.usual),
    );
  const type = typeLine.exec(line);
  return type && { verb: 'type', mark: Number(type[1]), text: readOneWord(type[2] ?? '') };
}

/**
 * The intended form of a line on marks whose numbers lack their brackets, e.g. `click [12]` for `click 12`; undefined for
 * any other line. Typed text is not checked.
 */
function suggestBrackets(line: string): string | undefined {
  if (line.length > longestSlip) return undefined;
  const meant = line
    .replace(/^(\w+)\s+#?(\d{1,9})(?=\s|$)/u, '$1 [$2]')
    .replace(/\s+to\s+#?(\d{1,9})$/u, ' to [$1]');
  const isMeant =
    meant !== line && [pointerLine, dragLine, scrollLine, typeLine].some((one) => one.test(meant));
  return isMeant ? meant : undefined;
}

/** A longer line is not a slip. */
const longestSlip = 60;

/** As {@link readMarkLine} reads it. */
function formatMarkAction(act: MarkAction): string {
  const start = `${act.verb} [${act.mark}]`;
  if (act.verb === 'drag') return `${start} to [${act.to}]`;
  if (act.verb === 'scroll') return `${start} ${act.direction} ${act.amount}`;
  return act.verb === 'type' ? `${start} '${act.text.replaceAll("'", String.raw`'\''`)}'` : start;
}

type ScrollDirection = Extract<MarkAction, { verb: 'scroll' }>['direction'];

function makeScroll(mark: number, direction: ScrollDirection, amount: number): MarkAction {
  if (amount < 1 || amount > scrollNotches.most)
    throw badAction(`scroll by ${amount} notches`, `Expected 1 to ${scrollNotches.most}.`);
  return { verb: 'scroll', mark, direction, amount };
}

function readOneWord(quoted: string): string {
  const [word, ...rest] = tokenizeLine(quoted).flat();
  if (word && rest.length === 0) return word.text;
  throw badAction(
    'type with more than one text',
    "Expected one text in single quotes: type [12] 'two words'.",
  );
}

/** An action as a person would type it: `xdotool key Return`, `click [12]`, `shell ls -l`. */
export function actionText(action: Action): string {
  switch (action.kind) {
    case 'xdotool':
    case 'unreadable':
      return action.line;
    case 'mark':
      return formatMarkAction(action);
    case 'computer':
      return JSON.stringify(action.call);
    case 'dialog':
      return `dialog ${action.accept ? 'accept' : 'dismiss'}${action.text === undefined ? '' : ` ${JSON.stringify(action.text)}`}`;
    case 'ask':
      return `ask_person ${JSON.stringify(action.text)}`;
    case 'tool':
      return `${action.name} ${argumentText(action.arguments)}`;
  }
}

function argumentText(given: Readonly<Record<string, unknown>>): string {
  const [only, ...others] = Object.values(given);
  return typeof only === 'string' && others.length === 0 ? only : JSON.stringify(given);
}
