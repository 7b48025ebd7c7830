import { capitalize } from '../../../bridge/text/index.ts';
import type { InputCommand } from '../../node/index.ts';
import { badAction, describeWord, type LineWord, tokenizeLine, WordReader } from './line-words.ts';

/** The xdotool commands that are understood. */
const xdotoolCommands = [
  'mousemove',
  'mousemove_relative',
  'click',
  'mousedown',
  'mouseup',
  'key',
  'keydown',
  'keyup',
  'type',
  'getmouselocation',
  'sleep',
] as const;
type XdotoolCommand = (typeof xdotoolCommands)[number];

const xdotoolCommandSet: ReadonlySet<string> = new Set(xdotoolCommands);

export function isXdotoolCommand(text: string): text is XdotoolCommand {
  return xdotoolCommandSet.has(text);
}

const expectedChord = 'a key or keys joined with +, e.g. Return, ctrl+s, ctrl+shift+p';
/** Keys of one chord: more than a person's fingers is a mistake. */
const mostChordKeys = 10;

/** `key`, `keydown` and `keyup`: one chord after another, up to the next command of a chain. */
function readKeyCommand(words: WordReader, action: 'press' | 'down' | 'up'): InputCommand[] {
  const name = { press: 'key', down: 'keydown', up: 'keyup' }[action];
  const known = {
    '--delay': delayOption,
    '--clearmodifiers': 'flag',
    '--repeat': repeatOption,
    '--repeat-delay': delayOption,
  } as const;
  const options = readOptions(words, name, known);
  const clear = options['--clearmodifiers'] === undefined ? {} : { clearModifiers: true };
  const command = { kind: 'key', action, delayMs: options['--delay'] ?? 0, ...clear } as const;
  const chords = readKeyChords(words).map((keys) => ({ ...command, keys }));
  const pause = options['--repeat-delay'];
  const round: InputCommand[] = pause === undefined ? chords : [...chords, { kind: 'sleep', ms: pause }];
  return Array.from({ length: options['--repeat'] ?? 1 }, () => round).flat();
}

function readKeyChords(words: WordReader): string[][] {
  const chords = [readKeyChord(words.take(expectedChord))];
  for (let word = words.peek(); word !== undefined && !isAnyCommand(word.text); word = words.peek()) {
    chords.push(readKeyChord(words.take(expectedChord)));
  }
  return chords;
}

function isAnyCommand(text: string): boolean {
  return isXdotoolCommand(text) || isBinaryCommand(text);
}

function readKeyChord(word: LineWord): string[] {
  if (word.text === '+') return ['plus'];
  const keys = word.text.split('+');
  if (keys.some((name) => name === '' || /\s/u.test(name))) {
    throw badAction(
      `no key chord: ${describeWord(word)}`,
      `Expected ${expectedChord}; the + key is plus, blank is space.`,
    );
  }
  if (keys.length > mostChordKeys)
    throw badAction(`too many keys in ${describeWord(word)}`, `At most ${mostChordKeys} at once.`);
  return keys;
}

/** `type`: all words to the end of the command, with nothing between them, as xdotool does. */
function readTypeCommand(words: WordReader): InputCommand[] {
  const options = readOptions(words, 'type', { '--delay': delayOption, '--clearmodifiers': 'flag' });
  let text = words.take('the text to type, in single quotes').text;
  while (words.peek() !== undefined) text += words.take('text').text;
  const clear = options['--clearmodifiers'] === undefined ? {} : { clearModifiers: true };
  return [{ kind: 'type', text, delayMs: options['--delay'] ?? 0, ...clear }];
}

const largestCoordinate = 32_767;

function readMousemove(words: WordReader): InputCommand[] {
  const { '--clearmodifiers': clear } = readOptions(words, 'mousemove', {
    '--sync': 'flag',
    '--clearmodifiers': 'flag',
  });
  const x = words.integer('x in screen pixels', 0, largestCoordinate);
  const y = words.integer('y in screen pixels', 0, largestCoordinate);
  return [{ kind: 'move', x, y, relative: false, ...clearModifiersField(clear) }];
}

function readMousemoveRelative(words: WordReader): InputCommand[] {
  const options = { '--sync': 'flag', '--clearmodifiers': 'flag' } as const;
  const { '--clearmodifiers': clear } = readOptions(words, 'mousemove_relative', options);
  const x = words.integer('pixels to the right', -largestCoordinate, largestCoordinate);
  const y = words.integer('pixels down', -largestCoordinate, largestCoordinate);
  return [{ kind: 'move', x, y, relative: true, ...clearModifiersField(clear) }];
}

function readClick(words: WordReader): InputCommand[] {
  const known = { '--repeat': repeatOption, '--delay': delayOption, '--clearmodifiers': 'flag' } as const;
  const options = readOptions(words, 'click', known);
  const times = options['--repeat'] ?? 1;
  return [readButtonCommand(words, 'click', times, options['--delay'] ?? 0, options['--clearmodifiers'])];
}

function readMousedown(words: WordReader): InputCommand[] {
  const { '--clearmodifiers': clear } = readOptions(words, 'mousedown', { '--clearmodifiers': 'flag' });
  return [readButtonCommand(words, 'down', 1, 0, clear)];
}

function readMouseup(words: WordReader): InputCommand[] {
  const { '--clearmodifiers': clear } = readOptions(words, 'mouseup', { '--clearmodifiers': 'flag' });
  return [readButtonCommand(words, 'up', 1, 0, clear)];
}

function readGetmouselocation(words: WordReader): InputCommand[] {
  readOptions(words, 'getmouselocation', { '--shell': 'flag' });
  return [{ kind: 'locate' }];
}

function readButtonCommand(
  words: WordReader,
  action: 'click' | 'down' | 'up',
  times: number,
  delayMs: number,
  clear: number | undefined,
): InputCommand {
  const number = words.integer('a button (1 left, 2 middle, 3 right, 4-7 wheel)', 1, 9);
  return { kind: 'button', button: number, action, repeat: times, delayMs, ...clearModifiersField(clear) };
}

function clearModifiersField(flag: number | undefined): { readonly clearModifiers?: true } {
  return flag === undefined ? {} : { clearModifiers: true };
}

/** The value of an option: nothing, or a whole number within bounds. */
type OptionShape = 'flag' | { readonly minimum: number; readonly maximum: number };

/** Options of xdotool that make no sense here, with the reason. */
const refusedOptions: Readonly<Record<string, string>> = {
  '--window':
    'input goes to the one screen as a person sees it; move the pointer or click to choose a window',
  '--screen': 'there is one screen',
  '--polar': 'give x and y',
  '--file': 'give the text itself, in single quotes',
  '--args': 'give the text as one word, in single quotes',
  '--terminator': 'give the text as one word, in single quotes',
  '--prefix': 'the position is answered as x and y',
};
const shortOptions: Readonly<Record<string, string>> = {
  '-w': '--window',
  '-p': '--polar',
  '-c': '--clearmodifiers',
};

/** The milliseconds a `--delay` may have. */
const delayOption = { minimum: 0, maximum: 60_000 } as const;
const repeatOption = { minimum: 1, maximum: 1000 } as const;

/**
 * Reads the options in front of a command's own words, up to the first word that is not an option or to `--`.
 * @param command the command's name, for errors
 * @param known the options the command takes
 */
function readOptions<K extends string>(
  words: WordReader,
  command: string,
  known: Readonly<Record<K, OptionShape>>,
): Partial<Record<K, number>> {
  const values: Partial<Record<K, number>> = {};
  for (let word = words.peek(); word !== undefined && isOption(word.text); word = words.peek()) {
    words.take('an option');
    if (word.text === '--') break;
    const name = shortOptions[word.text] ?? word.text;
    if (!hasOwn(known, name)) {
      const reason =
        refusedOptions[name] ?? `${command} takes ${Object.keys(known).join(', ') || 'no option'}`;
      throw badAction(`${command} does not take ${describeWord(word)}`, `${capitalize(reason)}.`);
    }
    const shape: OptionShape = known[name];
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

/** xdotool commands that the executor does not have: the real program runs them, inside the sandbox. */
const binaryNames: ReadonlySet<string> = new Set([
  ...['search', 'getactivewindow', 'getwindowfocus', 'getwindowname', 'getwindowclassname', 'getwindowpid'],
  ...['getwindowgeometry', 'getdisplaygeometry', 'windowsize', 'windowmove', 'windowfocus', 'windowactivate'],
  ...[
    'windowraise',
    'windowlower',
    'windowmap',
    'windowunmap',
    'windowminimize',
    'windowclose',
    'windowquit',
  ],
  ...['windowkill', 'windowreparent', 'windowstate', 'set_window', 'set_num_desktops', 'get_num_desktops'],
  ...['set_desktop', 'get_desktop', 'set_desktop_for_window', 'get_desktop_for_window'],
  ...['set_desktop_viewport', 'get_desktop_viewport', 'version'],
]);

/** Commands and options that run programs, read files or wait for a person's click. */
const refusedBinaryWords: Readonly<Record<string, string>> = {
  exec: "an xdotool line can't start programs",
  behave: "an xdotool line can't start programs",
  behave_screen_edge: "an xdotool line can't start programs",
  selectwindow: 'it waits for a click; search finds windows by name',
  '--file': 'give the text itself, in single quotes',
};

function isBinaryCommand(text: string): boolean {
  return binaryNames.has(text);
}

/**
 * The words of one xdotool invocation with a command for the real program, which gets all of it, since commands pass
 * windows on to each other. Errors: `bad-action`.
 */
function readBinary(words: readonly LineWord[]): string[] {
  for (const word of words) {
    const why = Object.hasOwn(refusedBinaryWords, word.text) ? refusedBinaryWords[word.text] : undefined;
    if (why !== undefined) throw badAction(`not here: ${describeWord(word)}`, `${why}.`);
  }
  return words.map(({ text }) => text);
}

/** UTF-16 code units of one line. */
const longestXdotoolLine = 1_000_000;
/** Commands of one line, repeats counted. */
const mostCommands = 10_000;
/** Seconds of one `sleep`. */
const longestSleep = 60;

const commandReaders: Readonly<Record<XdotoolCommand, (words: WordReader) => InputCommand[]>> = {
  mousemove: readMousemove,
  mousemove_relative: readMousemoveRelative,
  click: readClick,
  mousedown: readMousedown,
  mouseup: readMouseup,
  key: (words) => readKeyCommand(words, 'press'),
  keydown: (words) => readKeyCommand(words, 'down'),
  keyup: (words) => readKeyCommand(words, 'up'),
  type: readTypeCommand,
  getmouselocation: readGetmouselocation,
  sleep: (words) => [{ kind: 'sleep', ms: words.seconds('how long to wait', longestSleep) }],
};

/** A part of a line: input for the executor, or the words of one invocation of the real xdotool. */
export type XdotoolPart =
  { readonly input: readonly InputCommand[] } | { readonly binary: readonly string[] };

/**
 * Reads an xdotool line, e.g. `xdotool mousemove 10 20 click 1 && xdotool type 'hello'`. No shell is involved:
 * what only a shell could do is refused. Errors: `bad-action`, which names the word and its column.
 */
export function parseXdotoolLine(line: string): XdotoolPart[] {
  if (line.length > longestXdotoolLine)
    throw badAction(`a line of ${line.length} characters`, `At most ${longestXdotoolLine}.`);
  const parts: XdotoolPart[] = [];
  let count = 0;
  for (const words of tokenizeLine(line)) {
    const part = readInvocation(words);
    const last = parts.at(-1);
    count += 'input' in part ? part.input.length : 1;
    if (last && 'input' in last && 'input' in part)
      parts.splice(-1, 1, { input: [...last.input, ...part.input] });
    else parts.push(part);
  }
  if (count > mostCommands) throw badAction('too many commands in one line', `At most ${mostCommands}.`);
  return parts;
}

function readInvocation(words: readonly LineWord[]): XdotoolPart {
  const [program, ...rest] = words;
  if (program === undefined)
    throw badAction('an empty command', 'Expected xdotool and a command on each side of &&.');
  if (program.text !== 'xdotool')
    throw badAction(`unknown word ${describeWord(program)}`, 'Expected xdotool.');
  const reader = new WordReader(rest);
  const commands: InputCommand[] = [];
  do {
    const next = reader.peek();
    if (next && isBinaryCommand(next.text)) return { binary: readBinary(rest) };
    commands.push(...readCommand(reader));
  } while (reader.peek() !== undefined);
  return { input: commands };
}

function readCommand(words: WordReader): InputCommand[] {
  const expected = `one of ${xdotoolCommands.join(', ')}`;
  const word = words.take(expected);
  if (!isXdotoolCommand(word.text))
    throw badAction(`unknown xdotool command ${describeWord(word)}`, `Expected ${expected}.`);
  return commandReaders[word.text](words);
}
