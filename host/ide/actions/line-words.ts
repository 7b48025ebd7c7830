import { PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';

/** Characters that a shell would act on; unquoted they are refused, since no shell ever sees the line. */
const shellCharacters = new Set(['$', '`', ';', '|', '&', '<', '>', '(', ')', '\n', '\r']);
/** Characters that a backslash escapes between double quotes, as in POSIX sh. */
const escapable = new Set(['$', '`', '"', '\\']);

/** The words of a line, one list for each command of its `&&` chain. Quotes and backslashes as in POSIX sh. */
export function tokenizeLine(line: string): LineWord[][] {
  const chain: LineWord[][] = [[]];
  let at = skipBlanks(line, 0);
  while (at < line.length) {
    if (line.startsWith('&&', at)) {
      chain.push([]);
      at += 2;
    } else {
      const { word, end } = readWord(line, at);
      chain.at(-1)?.push(word);
      at = end;
    }
    at = skipBlanks(line, at);
  }
  return chain;
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ' || line[at] === '\t') at += 1;
  return at;
}

function readWord(line: string, start: number): { word: LineWord; end: number } {
  let text = '';
  let at = start;
  for (;;) {
    const character = line[at];
    if (character === undefined || character === ' ' || character === '\t' || line.startsWith('&&', at))
      break;
    const part = readPart(line, at, at === start);
    text += part.text;
    at = part.end;
  }
  return { word: { text, column: start + 1 }, end: at };
}

/** A quoted or bare part of a word and where it ends. */
interface WordPart {
  readonly text: string;
  readonly end: number;
}

function readPart(line: string, at: number, first: boolean): WordPart {
  const character = line.charAt(at);
  if (character === "'") return readSingleQuoted(line, at);
  if (character === '"') return readDoubleQuoted(line, at);
  if (character === '\\') return readEscaped(line, at);
  const leading = first && (character === '~' || character === '#');
  if (leading || shellCharacters.has(character)) throw unquotedError(character, at);
  return { text: character, end: at + 1 };
}

function readSingleQuoted(line: string, start: number): WordPart {
  const end = line.indexOf("'", start + 1);
  if (end < 0) throw unclosedError("'", start);
  return { text: line.slice(start + 1, end), end: end + 1 };
}

function readDoubleQuoted(line: string, start: number): WordPart {
  let text = '';
  for (let at = start + 1; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '"') return { text, end: at + 1 };
    const next = line.charAt(at + 1);
    if (character !== '\\') text += character;
    else if (next === '\n') at += 1;
    else if (escapable.has(next)) {
      text += next;
      at += 1;
    } else text += character;
  }
  throw unclosedError('"', start);
}

function readEscaped(line: string, at: number): WordPart {
  const next = line.charAt(at + 1);
  if (next === '') {
    throw badAction(`the backslash at column ${at + 1} has nothing after it`, 'Put text in single quotes.');
  }
  // A backslash before a line's end joins two lines.
  return { text: next === '\n' ? '' : next, end: at + 2 };
}

function unquotedError(character: string, at: number): Error {
  const shown = character === '\n' || character === '\r' ? 'line break' : `'${character}'`;
  return badAction(
    `unquoted ${shown} at column ${at + 1}: the line is not given to a shell`,
    'Put text in single quotes; join several commands with &&, each beginning with xdotool.',
  );
}

function unclosedError(quote: string, at: number): Error {
  return badAction(
    `the ${quote} at column ${at + 1} is never closed`,
    `Close the quote; inside '…' write ' as '\\''.`,
  );
}

/** Reads the words of one xdotool command from left to right. */
export class WordReader {
  readonly #words: readonly LineWord[];
  #next = 0;

  constructor(words: readonly LineWord[]) {
    this.#words = words;
  }

  peek(): LineWord | undefined {
    return this.#words[this.#next];
  }

  /** The next word. Without one: an error that says what was expected after which word. */
  take(expected: string): LineWord {
    const word = this.peek();
    if (word === undefined) throw this.missing(expected);
    this.#next += 1;
    return word;
  }

  missing(expected: string): Error {
    const last = this.#words[this.#next - 1];
    return badAction(
      `nothing after ${last === undefined ? 'xdotool' : describeWord(last)}`,
      `Expected ${expected}.`,
    );
  }

  /** A whole number within bounds, both included. */
  integer(what: string, minimum: number, maximum: number): number {
    const expected = `${what}: a whole number from ${minimum} to ${maximum}`;
    const word = this.take(expected);
    const value = /^[+-]?\d{1,9}$/.test(word.text) ? Number(word.text) : Number.NaN;
    if (!(value >= minimum && value <= maximum)) throw unexpectedWord(word, expected);
    return value;
  }

  /** Seconds with an optional fraction, as milliseconds. */
  seconds(what: string, maximum: number): number {
    const expected = `${what}: seconds from 0 to ${maximum}`;
    const word = this.take(expected);
    const value = /^(\d{1,6}(\.\d{0,9})?|\.\d{1,9})$/.test(word.text) ? Number(word.text) : Number.NaN;
    if (!(value <= maximum)) throw unexpectedWord(word, expected);
    return Math.round(value * 1000);
  }
}

function unexpectedWord(word: LineWord, expected: string): Error {
  return badAction(`wrong word ${describeWord(word)}`, `Expected ${expected}.`);
}

/** One word of a line, quotes already removed. */
export interface LineWord {
  readonly text: string;
  /** Its column in the line, from 1, in UTF-16 code units. */
  readonly column: number;
}

/** A line that is not an action: one message for the agent, with the word, its place, and what was expected. */
export function badAction(problem: string, expected: string): PwpError {
  return new PwpError('bad-action', `${problem}. ${expected}`);
}

/** The word as it is named in an error; long text is cut. */
export function describeWord(word: LineWord): string {
  const text = word.text.length > 60 ? `${clip(word.text, 60)}…` : word.text;
  return `'${text}' at column ${word.column}`;
}
