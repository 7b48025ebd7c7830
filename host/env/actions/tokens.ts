import { badAction, type Word } from './word.ts';

/** Characters that a shell would act on; unquoted they are refused, since no shell ever sees the line. */
const shellCharacters = new Set(['$', '`', ';', '|', '&', '<', '>', '(', ')', '\n', '\r']);
/** Characters that a backslash escapes between double quotes, as in POSIX sh. */
const escapable = new Set(['$', '`', '"', '\\']);

/** The words of a line, one list for each command of its `&&` chain. Quotes and backslashes as in POSIX sh. */
export function tokenize(line: string): Word[][] {
  const chain: Word[][] = [[]];
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

function readWord(line: string, start: number): { word: Word; end: number } {
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
interface Part {
  readonly text: string;
  readonly end: number;
}

function readPart(line: string, at: number, first: boolean): Part {
  const character = line.charAt(at);
  if (character === "'") return readSingleQuoted(line, at);
  if (character === '"') return readDoubleQuoted(line, at);
  if (character === '\\') return readEscaped(line, at);
  const leading = first && (character === '~' || character === '#');
  if (leading || shellCharacters.has(character)) throw unquoted(character, at);
  return { text: character, end: at + 1 };
}

function readSingleQuoted(line: string, start: number): Part {
  const end = line.indexOf("'", start + 1);
  if (end < 0) throw unclosed("'", start);
  return { text: line.slice(start + 1, end), end: end + 1 };
}

function readDoubleQuoted(line: string, start: number): Part {
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
  throw unclosed('"', start);
}

function readEscaped(line: string, at: number): Part {
  const next = line.charAt(at + 1);
  if (next === '') {
    throw badAction(`the backslash at column ${at + 1} has nothing after it`, 'Put text in single quotes.');
  }
  // A backslash before a line's end joins two lines.
  return { text: next === '\n' ? '' : next, end: at + 2 };
}

function unquoted(character: string, at: number): Error {
  const shown = character === '\n' || character === '\r' ? 'line break' : `'${character}'`;
  return badAction(
    `unquoted ${shown} at column ${at + 1}: the line is not given to a shell`,
    'Put text in single quotes; join several commands with &&, each beginning with xdotool.',
  );
}

function unclosed(quote: string, at: number): Error {
  return badAction(
    `the ${quote} at column ${at + 1} is never closed`,
    `Close the quote; inside '…' write ' as '\\''.`,
  );
}
