/** A part of a text and what takes its place. Offsets are UTF-16 code units of the text as it was. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies replacements that are in order and don't overlap. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  let at = 0;
  const parts = replacements.flatMap(({ start, end, text: instead }) => {
    const kept = text.slice(at, start);
    at = end;
    return [kept, instead];
  });
  return parts.join('') + text.slice(at);
}

/** The one replacement, as short as can be, that makes one text of another; undefined if they are the same. */
export function differenceOf(before: string, after: string): Replacement | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  start = wholeCharacter(before, start);
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  while (tail > 0 && wholeCharacter(before, before.length - tail) !== before.length - tail) tail -= 1;
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/** An edit may not begin or end between the halves of a character, nor within a line end of Windows. */
function wholeCharacter(text: string, at: number): number {
  const [left, right] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const splitsPair = left >= 0xd800 && left <= 0xdbff;
  const splitsLineEnd = left === 13 && right === 10;
  return at > 0 && (splitsPair || splitsLineEnd) ? at - 1 : at;
}

/** Lines that a change adds and removes, counted over all its replacements. */
export function countLines(
  text: string,
  replacements: readonly Replacement[],
): { added: number; removed: number } {
  const lines = (part: string) =>
    part.split(/\r\n|\n|\r/).length - (/[\r\n]$/.test(part) || part === '' ? 1 : 0);
  return {
    added: replacements.reduce((sum, one) => sum + lines(one.text), 0),
    removed: replacements.reduce((sum, one) => sum + lines(text.slice(one.start, one.end)), 0),
  };
}
