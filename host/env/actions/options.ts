import { badAction, named } from './word.ts';
import type { Words } from './words.ts';

/** The value of an option: nothing, or a whole number within bounds. */
type Shape = 'flag' | { readonly minimum: number; readonly maximum: number };

/** Options of xdotool that make no sense here, with the reason. */
const refused: Readonly<Record<string, string>> = {
  '--window':
    'input goes to the one screen as a person sees it; move the pointer or click to choose a window',
  '--screen': 'there is one screen',
  '--polar': 'give x and y',
  '--file': 'give the text itself, in single quotes',
  '--args': 'give the text as one word, in single quotes',
  '--terminator': 'give the text as one word, in single quotes',
  '--prefix': 'the position is answered as x and y',
};
const short: Readonly<Record<string, string>> = {
  '-w': '--window',
  '-p': '--polar',
  '-c': '--clearmodifiers',
};

/** The milliseconds a `--delay` may have. */
export const delay = { minimum: 0, maximum: 60_000 } as const;
export const repeat = { minimum: 1, maximum: 1000 } as const;

/**
 * Reads the options in front of a command's own words, up to the first word that is not an option or to `--`.
 * @param command the command's name, for errors
 * @param known the options the command takes
 */
export function readOptions<K extends string>(
  words: Words,
  command: string,
  known: Readonly<Record<K, Shape>>,
): Partial<Record<K, number>> {
  const values: Partial<Record<K, number>> = {};
  for (let word = words.peek(); word !== undefined && isOption(word.text); word = words.peek()) {
    words.take('an option');
    if (word.text === '--') break;
    const name = short[word.text] ?? word.text;
    if (!hasOwn(known, name)) {
      const reason = refused[name] ?? `${command} takes ${Object.keys(known).join(', ') || 'no option'}`;
      throw badAction(`${command} does not take ${named(word)}`, `${upperFirst(reason)}.`);
    }
    const shape: Shape = known[name];
    values[name] = shape === 'flag' ? 1 : words.integer(`the value of ${name}`, shape.minimum, shape.maximum);
  }
  return values;
}

/** Negative numbers are not options: `mousemove_relative -5 3`. */
function isOption(text: string): boolean {
  return text.startsWith('-') && text !== '-' && !/^-\d/.test(text);
}

function hasOwn<K extends string>(known: Readonly<Record<K, unknown>>, name: string): name is K {
  return Object.hasOwn(known, name);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
