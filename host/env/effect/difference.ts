import { diffChars } from 'diff';

/** A place where the landed text differs from the text sent. */
export interface Difference {
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
export function differencesOf(sent: string, landed: string): Difference[] {
  const head = commonHead(sent, landed, Math.min(sent.length, landed.length));
  const tail = commonTail(sent, landed, Math.min(sent.length, landed.length) - head);
  const [from, to] = [sent.slice(head, sent.length - tail), landed.slice(head, landed.length - tail)];
  if (from === '' && to === '') return [];
  const edits = additions(from, to) ?? shortest(from, to) ?? [{ at: 0, missing: from, added: to }];
  return merged(edits).map((edit) => ({ ...edit, at: edit.at + head }));
}

/** Length of the common start, at most `most`, never ending inside a character. */
export function commonHead(a: string, b: string, most: number): number {
  let head = 0;
  while (head < most && a.charCodeAt(head) === b.charCodeAt(head)) head += 1;
  return splitsPair(a, head) || splitsPair(b, head) ? head - 1 : head;
}

/** Length of the common end, at most `most`, never beginning inside a character. */
export function commonTail(a: string, b: string, most: number): number {
  let tail = 0;
  while (tail < most && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail += 1;
  return splitsPair(a, a.length - tail) || splitsPair(b, b.length - tail) ? tail - 1 : tail;
}

function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}

/** The common case: all that was sent is there in order, with more in between. Undefined if something is missing. */
function additions(sent: string, landed: string): Difference[] | undefined {
  const found: Difference[] = [];
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
function shortest(sent: string, landed: string): Difference[] | undefined {
  let at = 0;
  return diffChars(sent, landed, { maxEditLength: mostEdits })?.flatMap(({ added, removed, value }) => {
    const edit = { at, missing: removed ? value : '', added: added ? value : '' };
    if (!added) at += value.length;
    return added || removed ? [edit] : [];
  });
}

/** Neighbouring edits become one. */
function merged(edits: readonly Difference[]): Difference[] {
  const result: Difference[] = [];
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
