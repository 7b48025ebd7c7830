import type { InputCommand } from '../../node/index.ts';
import { isBinaryCommand, readBinary } from './binary.ts';
import { key, type } from './keyboard.ts';
import { click, getmouselocation, mousedown, mousemove, mousemoveRelative, mouseup } from './pointer.ts';
import { tokenize } from './tokens.ts';
import { commandNames, isCommand, type CommandName } from './vocabulary.ts';
import { badAction, named, type Word } from './word.ts';
import { Words } from './words.ts';

/** UTF-16 code units of one line. */
const longestLine = 1_000_000;
/** Commands of one line, repeats counted. */
const mostCommands = 10_000;
/** Seconds of one `sleep`. */
const longestSleep = 60;

const readers: Readonly<Record<CommandName, (words: Words) => InputCommand[]>> = {
  mousemove,
  mousemove_relative: mousemoveRelative,
  click,
  mousedown,
  mouseup,
  key: (words) => key(words, 'press'),
  keydown: (words) => key(words, 'down'),
  keyup: (words) => key(words, 'up'),
  type,
  getmouselocation,
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
  if (line.length > longestLine)
    throw badAction(`a line of ${line.length} characters`, `At most ${longestLine}.`);
  const parts: XdotoolPart[] = [];
  let count = 0;
  for (const words of tokenize(line)) {
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

function readInvocation(words: readonly Word[]): XdotoolPart {
  const [program, ...rest] = words;
  if (program === undefined)
    throw badAction('an empty command', 'Expected xdotool and a command on each side of &&.');
  if (program.text !== 'xdotool') throw badAction(`unknown word ${named(program)}`, 'Expected xdotool.');
  const reader = new Words(rest);
  const commands: InputCommand[] = [];
  do {
    const next = reader.peek();
    if (next && isBinaryCommand(next.text)) return { binary: readBinary(rest) };
    commands.push(...readCommand(reader));
  } while (reader.peek() !== undefined);
  return { input: commands };
}

function readCommand(words: Words): InputCommand[] {
  const expected = `one of ${commandNames.join(', ')}`;
  const word = words.take(expected);
  if (!isCommand(word.text))
    throw badAction(`unknown xdotool command ${named(word)}`, `Expected ${expected}.`);
  return readers[word.text](words);
}
