import { diffChars } from 'diff';
import type { Editor } from '../../../bridge/protocol/index.ts';

/** The result of typed text in a buffer that was read before and after. Line ends count as `\n`. */
export interface TypedChange {
  /** Its offset in the buffer, in UTF-16 code units from 0. */
  readonly offset: number;
  /** The text before: a selection that was typed over. */
  readonly replaced: string;
  /** How what landed differs from what was sent; empty if it is the same. */
  readonly differences: readonly TextDifference[];
}

/** The maximum number of beginnings and ends to try: only one character over and over has more. */
const mostTries = 20;

/**
 * Compares the text sent with what a buffer gained. The buffer afterwards is the one before with, at `offset`,
 * `replaced` removed and the text sent inserted, the differences applied.
 * @param overwrites something was selected, or may have been: otherwise existing text can't have been typed over
 * @returns undefined if the buffer did not change
 */
export function findTypedChange(
  sent: string,
  before: string,
  after: string,
  overwrites = true,
): TypedChange | undefined {
  if (before === after) return undefined;
  const text = normalizeLineEnds(sent);
  const [old, now] = [normalizeLineEnds(before), normalizeLineEnds(after)];
  const most = Math.min(old.length, now.length);
  const head = commonHead(old, now, most);
  let best: TypedChange | undefined;
  for (const offset of findBeginnings(text, now, head)) {
    const tail = commonTail(old, now, most - offset);
    for (const end of findEnds(text, now, tail)) {
      const gained = now.slice(offset, now.length - end);
      const found = {
        offset,
        replaced: old.slice(offset, old.length - end),
        differences: findDifferences(text, gained),
      };
      if (best !== undefined && !overwrites && best.replaced === '' && found.replaced !== '') continue;
      if (best === undefined || measureCost(found) < measureCost(best)) best = found;
      if (found.differences.length === 0) return found;
    }
  }
  return best;
}

/** Characters of the text sent that are there. */
export function countArrived(sent: string, differences: readonly TextDifference[]): number {
  return (
    countCharacters(normalizeLineEnds(sent)) -
    differences.reduce((sum, { missing }) => sum + countCharacters(missing), 0)
  );
}

/** Characters, not code units. */
export function countCharacters(text: string): number {
  return [...text].length;
}

export function normalizeLineEnds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Text may begin before the first difference: by what it has in common with the previous text. */
function findBeginnings(text: string, now: string, head: number): number[] {
  const found = [head];
  for (let k = 1; k <= Math.min(text.length, head) && found.length < mostTries; k += 1)
    if (text.startsWith(now.slice(head - k, head))) found.push(head - k);
  return found;
}

function findEnds(text: string, now: string, tail: number): number[] {
  const found = [tail];
  const start = now.length - tail;
  for (let k = 1; k <= Math.min(text.length, tail) && found.length < mostTries; k += 1)
    if (text.endsWith(now.slice(start, start + k))) found.push(tail - k);
  return found;
}

function measureCost({ differences, replaced }: TypedChange): number {
  const lengths = differences.map(({ missing, added }) => missing.length + added.length);
  return lengths.reduce((sum, length) => sum + length, 0) * 1000 + Math.min(replaced.length, 999);
}

type CursorPosition = Editor['selections'][number]['active'];

/**
 * Whether text was typed at each of several cursors, over what each of them had selected, and nothing else changed.
 * @param before the editor as it was, with its text
 * @param after the text of its document now
 */
export function isAtEachCursor(sent: string, { selections, text = '' }: Editor, after: string): boolean {
  if (selections.length < 2) return false;
  const old = normalizeLineEnds(text);
  const offsetOf = makeOffsetReader(old);
  const ranges = selections
    .map(({ anchor, active }) => [offsetOf(anchor), offsetOf(active)].toSorted((a, b) => a - b))
    .toSorted(([a = 0], [b = 0]) => a - b);
  let [expected, at] = ['', 0];
  for (const [start = 0, end = 0] of ranges) {
    expected += old.slice(at, start) + normalizeLineEnds(sent);
    at = end;
  }
  return expected + old.slice(at) === normalizeLineEnds(after);
}

function makeOffsetReader(text: string): (position: CursorPosition) => number {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return ({ line, character }) => (starts[line] ?? text.length) + character;
}

/** A place where the landed text differs from the text sent. */
export interface TextDifference {
  /** Place in the text sent, in UTF-16 code units from 0. */
  readonly at: number;
  /** Sent, but missing. */
  readonly missing: string;
  /** Present, but not sent: closing brackets, indentation, an accepted suggestion. */
  readonly added: string;
}

/** Edits beyond this many are not looked for one by one: the texts have little in common. */
const mostEdits = 400;

/**
 * The differences that turn `sent` into `landed`, in order. What the IDE adds (brackets, indentation) is looked for
 * first, and beginning and end are cut off by characters: a general comparison may split an addition, and would take
 * the time of the whole text for a letter in the middle.
 */
export function findDifferences(sent: string, landed: string): TextDifference[] {
  const head = commonHead(sent, landed, Math.min(sent.length, landed.length));
  const tail = commonTail(sent, landed, Math.min(sent.length, landed.length) - head);
  const [from, to] = [sent.slice(head, sent.length - tail), landed.slice(head, landed.length - tail)];
  if (from === '' && to === '') return [];
  const edits = findAdditions(from, to) ??
    findShortestEdits(from, to) ?? [{ at: 0, missing: from, added: to }];
  return mergeEdits(edits).map((edit) => ({ ...edit, at: edit.at + head }));
}

/** Length of the common start, at most `most`, never ending inside a character. */
function commonHead(a: string, b: string, most: number): number {
  let head = 0;
  while (head < most && a.charCodeAt(head) === b.charCodeAt(head)) head += 1;
  return splitsPair(a, head) || splitsPair(b, head) ? head - 1 : head;
}

/** Length of the common end, at most `most`, never beginning inside a character. */
function commonTail(a: string, b: string, most: number): number {
  let tail = 0;
  while (tail < most && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail += 1;
  return splitsPair(a, a.length - tail) || splitsPair(b, b.length - tail) ? tail - 1 : tail;
}

function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** The common case: all that was sent is there in order, with more in between. Undefined if something is missing. */
function findAdditions(sent: string, landed: string): TextDifference[] | undefined {
  const found: TextDifference[] = [];
  let at = 0;
  let extra = '';
  for (const character of landed) {
    if (at < sent.length && sent.startsWith(character, at)) {
      if (extra !== '') found.push({ at, missing: '', added: extra });
      extra = '';
      at += character.length;
    } else extra += character;
  }
  if (extra !== '') found.push({ at, missing: '', added: extra });
  return at === sent.length ? found : undefined;
}

/** The fewest edits, character by character; undefined if there are too many to be of use. */
function findShortestEdits(sent: string, landed: string): TextDifference[] | undefined {
  let at = 0;
  return diffChars(sent, landed, { maxEditLength: mostEdits })?.flatMap(({ added, removed, value }) => {
    const edit = { at, missing: removed ? value : '', added: added ? value : '' };
    if (!added) at += value.length;
    return added || removed ? [edit] : [];
  });
}

/** Neighbouring edits become one. */
function mergeEdits(edits: readonly TextDifference[]): TextDifference[] {
  const result: TextDifference[] = [];
  for (const edit of edits) {
    const last = result.at(-1);
    if (last && last.at + last.missing.length === edit.at) {
      result[result.length - 1] = {
        at: last.at,
        missing: last.missing + edit.missing,
        added: last.added + edit.added,
      };
    } else result.push(edit);
  }
  return result;
}
