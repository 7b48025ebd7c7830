import { tokenize } from './tokens.ts';
import type { MarkAct, MarkVerb } from './types.ts';
import { badAction } from './word.ts';

const number = String.raw`\[\s*(\d{1,9})\s*\]`;
const pointerLine = new RegExp(
  `^(click|double_click|triple_click|right_click|middle_click|hover)\\s*${number}$`,
);
const dragLine = new RegExp(`^drag\\s*${number}\\s*to\\s*${number}$`);
const scrollLine = new RegExp(`^scroll\\s*${number}\\s+(up|down|left|right)(?:\\s+(\\d{1,3}))?$`);
const typeLine = new RegExp(`^type\\s*${number}\\s+(.+)$`, 'su');

/** Notches of the wheel. */
const notches = { usual: 3, most: 100 } as const;

/** The action of a line on marks, e.g. `click [12]`, `drag [12] to [15]`, `type [12] 'text'`; null for any other line. */
export function markAct(line: string): MarkAct | null {
  const pointer = pointerLine.exec(line);
  if (pointer) return { verb: pointer[1] as MarkVerb, mark: Number(pointer[2]) };
  const drag = dragLine.exec(line);
  if (drag) return { verb: 'drag', mark: Number(drag[1]), to: Number(drag[2]) };
  const scroll = scrollLine.exec(line);
  if (scroll) return scrollAct(Number(scroll[1]), scroll[2] as Direction, Number(scroll[3] ?? notches.usual));
  const type = typeLine.exec(line);
  return type && { verb: 'type', mark: Number(type[1]), text: oneWord(type[2] ?? '') };
}

/**
 * The intended form of a line on marks whose numbers lack their brackets, e.g. `click [12]` for `click 12`; undefined for
 * any other line. Typed text is not checked.
 */
export function withBrackets(line: string): string | undefined {
  if (line.length > longestMeant) return undefined;
  const meant = line
    .replace(/^(\w+)\s+#?(\d{1,9})(?=\s|$)/u, '$1 [$2]')
    .replace(/\s+to\s+#?(\d{1,9})$/u, ' to [$1]');
  const isMeant =
    meant !== line && [pointerLine, dragLine, scrollLine, typeLine].some((one) => one.test(meant));
  return isMeant ? meant : undefined;
}

/** A longer line is not a slip. */
const longestMeant = 60;

/** As {@link markAct} reads it. */
export function markText(act: MarkAct): string {
  const start = `${act.verb} [${act.mark}]`;
  if (act.verb === 'drag') return `${start} to [${act.to}]`;
  if (act.verb === 'scroll') return `${start} ${act.direction} ${act.amount}`;
  return act.verb === 'type' ? `${start} '${act.text.replaceAll("'", String.raw`'\''`)}'` : start;
}

type Direction = Extract<MarkAct, { verb: 'scroll' }>['direction'];

function scrollAct(mark: number, direction: Direction, amount: number): MarkAct {
  if (amount < 1 || amount > notches.most)
    throw badAction(`scroll by ${amount} notches`, `Expected 1 to ${notches.most}.`);
  return { verb: 'scroll', mark, direction, amount };
}

function oneWord(quoted: string): string {
  const [word, ...rest] = tokenize(quoted).flat();
  if (word && rest.length === 0) return word.text;
  throw badAction(
    'type with more than one text',
    "Expected one text in single quotes: type [12] 'two words'.",
  );
}
