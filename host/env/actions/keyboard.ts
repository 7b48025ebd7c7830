import type { InputCommand } from '../../node/index.ts';
import { delay, readOptions, repeat } from './options.ts';
import { isBinaryCommand } from './binary.ts';
import { isCommand } from './vocabulary.ts';
import { badAction, named, type Word } from './word.ts';
import type { Words } from './words.ts';

const chordExpected = 'a key or keys joined with +, e.g. Return, ctrl+s, ctrl+shift+p';
/** Keys of one chord: more than a person's fingers is a mistake. */
const chordKeys = 10;

/** `key`, `keydown` and `keyup`: one chord after another, up to the next command of a chain. */
export function key(words: Words, action: 'press' | 'down' | 'up'): InputCommand[] {
  const name = { press: 'key', down: 'keydown', up: 'keyup' }[action];
  const known = {
    '--delay': delay,
    '--clearmodifiers': 'flag',
    '--repeat': repeat,
    '--repeat-delay': delay,
  } as const;
  const options = readOptions(words, name, known);
  const clear = options['--clearmodifiers'] === undefined ? {} : { clearModifiers: true };
  const command = { kind: 'key', action, delayMs: options['--delay'] ?? 0, ...clear } as const;
  const chords = readChords(words).map((keys) => ({ ...command, keys }));
  const pause = options['--repeat-delay'];
  const round: InputCommand[] = pause === undefined ? chords : [...chords, { kind: 'sleep', ms: pause }];
  return Array.from({ length: options['--repeat'] ?? 1 }, () => round).flat();
}

function readChords(words: Words): string[][] {
  const chords = [readChord(words.take(chordExpected))];
  for (let word = words.peek(); word !== undefined && !isAnyCommand(word.text); word = words.peek()) {
    chords.push(readChord(words.take(chordExpected)));
  }
  return chords;
}

function isAnyCommand(text: string): boolean {
  return isCommand(text) || isBinaryCommand(text);
}

function readChord(word: Word): string[] {
  if (word.text === '+') return ['plus'];
  const keys = word.text.split('+');
  if (keys.some((name) => name === '' || /\s/u.test(name))) {
    throw badAction(
      `no key chord: ${named(word)}`,
      `Expected ${chordExpected}; the + key is plus, blank is space.`,
    );
  }
  if (keys.length > chordKeys)
    throw badAction(`too many keys in ${named(word)}`, `At most ${chordKeys} at once.`);
  return keys;
}

/** `type`: all words to the end of the command, with nothing between them, as xdotool does. */
export function type(words: Words): InputCommand[] {
  const options = readOptions(words, 'type', { '--delay': delay, '--clearmodifiers': 'flag' });
  let text = words.take('the text to type, in single quotes').text;
  while (words.peek() !== undefined) text += words.take('text').text;
  const clear = options['--clearmodifiers'] === undefined ? {} : { clearModifiers: true };
  return [{ kind: 'type', text, delayMs: options['--delay'] ?? 0, ...clear }];
}
