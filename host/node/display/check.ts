import type { InputCommand } from '../input.ts';
import { keyNamed, similarName } from './keysyms.ts';
import { untypable } from './typing.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Why a command can't be played on a screen of this size; undefined when it can. Names the word. */
export function whyNot(command: InputCommand, size: Size): string | undefined {
  switch (command.kind) {
    case 'move':
      return command.relative ? undefined : offScreen(command.x, command.y, size);
    case 'button':
      return command.button >= 1 && command.button <= 9
        ? undefined
        : `no mouse button ${command.button}: 1 to 9`;
    case 'key':
      return unknownKey(command.keys);
    case 'type':
      return unknownCharacter(command.text);
    case 'locate':
    case 'sleep':
    case 'release':
    case 'flush':
      return undefined;
  }
}

function offScreen(x: number, y: number, { width, height }: Size): string | undefined {
  const inside = x >= 0 && y >= 0 && x < width && y < height;
  return inside ? undefined : `(${x}, ${y}) is off the screen: x 0 to ${width - 1}, y 0 to ${height - 1}`;
}

function unknownKey(keys: readonly string[]): string | undefined {
  const unknown = keys.find((word) => keyNamed(word) === undefined);
  if (unknown === undefined) return undefined;
  const similar = similarName(unknown);
  const hint =
    similar === undefined ? 'X keysym names such as Return, Page_Up, F5, period' : `perhaps ${similar}`;
  return `unknown key '${unknown}': ${hint}`;
}

function unknownCharacter(text: string): string | undefined {
  const unknown = untypable(text);
  if (unknown === undefined) return undefined;
  const { character, position } = unknown;
  const code = character.codePointAt(0) ?? 0;
  const kind = code >= 0xd800 && code <= 0xdfff ? ': half of a surrogate pair' : '';
  return (
    `no key types the character U+${code.toString(16).toUpperCase().padStart(4, '0')} ` +
    `at position ${position} of the text${kind}; nothing was typed`
  );
}
