import { commonHead, commonTail, differencesOf, type Difference } from './difference.ts';

/** The result of typed text in a buffer that was read before and after. Line ends count as `\n`. */
export interface TypedChange {
  /** Its offset in the buffer, in UTF-16 code units from 0. */
  readonly offset: number;
  /** The text before: a selection that was typed over. */
  readonly replaced: string;
  /** How what landed differs from what was sent; empty if it is the same. */
  readonly differences: readonly Difference[];
}

/** The maximum number of beginnings and ends to try: only one character over and over has more. */
const mostTries = 20;

/**
 * Compares the text sent with what a buffer gained. The buffer afterwards is the one before with, at `offset`,
 * `replaced` removed and the text sent inserted, the differences applied.
 * @param overwrites something was selected, or may have been: otherwise existing text can't have been typed over
 * @returns undefined if the buffer did not change
 */
export function typedChange(
  sent: string,
  before: string,
  after: string,
  overwrites = true,
): TypedChange | undefined {
  if (before === after) return undefined;
  const text = normalise(sent);
  const [old, now] = [normalise(before), normalise(after)];
  const most = Math.min(old.length, now.length);
  const head = commonHead(old, now, most);
  let best: TypedChange | undefined;
  for (const offset of beginnings(text, now, head)) {
    const tail = commonTail(old, now, most - offset);
    for (const end of ends(text, now, tail)) {
      const gained = now.slice(offset, now.length - end);
      const found = {
        offset,
        replaced: old.slice(offset, old.length - end),
        differences: differencesOf(text, gained),
      };
      if (best !== undefined && !overwrites && best.replaced === '' && found.replaced !== '') continue;
      if (best === undefined || cost(found) < cost(best)) best = found;
      if (found.differences.length === 0) return found;
    }
  }
  return best;
}

/** Characters of the text sent that are there. */
export function arrivedCount(sent: string, differences: readonly Difference[]): number {
  return lengthOf(normalise(sent)) - differences.reduce((sum, { missing }) => sum + lengthOf(missing), 0);
}

/** Characters, not code units. */
export function lengthOf(text: string): number {
  return [...text].length;
}

export function normalise(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Text may begin before the first difference: by what it has in common with the previous text. */
function beginnings(text: string, now: string, head: number): number[] {
  const found = [head];
  for (let k = 1; k <= Math.min(text.length, head) && found.length < mostTries; k += 1)
    if (text.startsWith(now.slice(head - k, head))) found.push(head - k);
  return found;
}

function ends(text: string, now: string, tail: number): number[] {
  const found = [tail];
  const start = now.length - tail;
  for (let k = 1; k <= Math.min(text.length, tail) && found.length < mostTries; k += 1)
    if (text.endsWith(now.slice(start, start + k))) found.push(tail - k);
  return found;
}

function cost({ differences, replaced }: TypedChange): number {
  const lengths = differences.map(({ missing, added }) => missing.length + added.length);
  return lengths.reduce((sum, length) => sum + length, 0) * 1000 + Math.min(replaced.length, 999);
}
