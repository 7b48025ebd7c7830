import type { InputCommand } from '../../../node/index.ts';
import type { InputMessage, KeyStroke, Modifier, ScreenPlace } from '../../web/index.ts';

/** Buttons of a `MouseEvent` by their numbers on X: left, middle, right, back, forward. */
const xButtons = [1, 2, 3, 8, 9];
const turnUp = 4;
const turnDown = 5;
const turnLeft = 6;
const turnRight = 7;

/** Input that is played directly; pasting and copying need more than the devices. */
export type PlainInput = Exclude<InputMessage, { readonly type: 'paste' | 'copy' }>;

/** Turns one person's input in a page into commands, and tracks the keys that they hold down. */
export class InputTranslator {
  readonly #screen: { readonly width: number; readonly height: number };
  readonly #held = new Set<Modifier>();

  constructor(screen: { readonly width: number; readonly height: number }) {
    this.#screen = screen;
  }

  of(message: PlainInput): InputCommand[] {
    switch (message.type) {
      case 'move':
        return [this.#move(message)];
      case 'button': {
        const button = xButtons[message.button] ?? 1;
        return [this.#move(message), buttonCommand(button, message.down ? 'down' : 'up')];
      }
      case 'wheel':
        return [
          this.#move(message),
          ...wheelCommands(message.down, turnUp, turnDown),
          ...wheelCommands(message.across, turnLeft, turnRight),
        ];
      case 'modifier':
        return this.#hold(message.modifier, message.down);
      case 'key':
        return this.#stroke(message);
      case 'text':
        return [typeCommand(message.text, this.#held.size > 0)];
      case 'release':
        this.#held.clear();
        return [{ kind: 'release' }];
    }
  }

  /** Keys that are pressed together, regardless of the held ones. */
  shortcut(modifiers: readonly Modifier[], name: string): InputCommand[] {
    const keys = [...modifiers.map((modifier) => xModifiers[modifier]), name];
    return [{ kind: 'key', keys, action: 'press', delayMs: 0, clearModifiers: this.#held.size > 0 }];
  }

  #stroke(stroke: KeyStroke): InputCommand[] {
    const meaning = readKeyMeaning(stroke);
    const held = this.#correct(stroke);
    if (!meaning) return held;
    if (meaning.kind === 'sign') return [...held, this.#sign(meaning.sign, stroke)];
    return [...held, ...this.#unshifted(meaning.name, strikeCommand(meaning.name))];
  }

  #sign(sign: string, { altGraph }: KeyStroke): InputCommand {
    const isShifted = this.#held.has('shift');
    // The person's keyboard has the sign on another key: Shift must not apply to the sandbox's key.
    const differs = isShifted && needsShift(sign) === false;
    const others = [...this.#held].some((modifier) => modifier !== 'shift');
    return typeCommand(sign, differs || altGraph || others);
  }

  /** Releases Shift if the person needs it for a sign that the sandbox's keyboard has without it. */
  #unshifted(name: string, command: InputCommand): InputCommand[] {
    const isLetterOrKey = name.length > 1 || /^[a-z]$/.test(name);
    if (isLetterOrKey || !this.#held.has('shift') || needsShift(name) !== false) return [command];
    return [modifierCommand('shift', 'up'), command, modifierCommand('shift', 'down')];
  }

  /** Updates the held keys to those that the page reports: a press or a release may have been missed. */
  #correct({ held, altGraph }: KeyStroke): InputCommand[] {
    if (altGraph) return [];
    const all: readonly Modifier[] = ['shift', 'ctrl', 'alt', 'meta'];
    return all.flatMap((modifier) => this.#hold(modifier, held.includes(modifier)));
  }

  #hold(modifier: Modifier, down: boolean): InputCommand[] {
    if (this.#held.has(modifier) === down) return [];
    if (down) this.#held.add(modifier);
    else this.#held.delete(modifier);
    return [modifierCommand(xModifiers[modifier], down ? 'down' : 'up')];
  }

  #move({ x, y }: ScreenPlace): InputCommand {
    const { width, height } = this.#screen;
    return { kind: 'move', x: clampToScreen(x, width), y: clampToScreen(y, height), relative: false };
  }
}

const xModifiers: Readonly<Record<Modifier, string>> = {
  shift: 'shift',
  ctrl: 'ctrl',
  alt: 'alt',
  meta: 'super',
};

function clampToScreen(value: number, size: number): number {
  return Math.min(Math.max(Math.round(value), 0), size - 1);
}

function buttonCommand(button: number, action: 'down' | 'up'): InputCommand {
  return { kind: 'button', button, action, repeat: 1, delayMs: 0 };
}

function wheelCommands(turns: number, less: number, more: number): InputCommand[] {
  if (turns === 0) return [];
  const button = turns < 0 ? less : more;
  return [{ kind: 'button', button, action: 'click', repeat: Math.abs(turns), delayMs: 0 }];
}

function modifierCommand(name: string, action: 'down' | 'up'): InputCommand {
  return { kind: 'key', keys: [name], action, delayMs: 0 };
}

function strikeCommand(name: string): InputCommand {
  return { kind: 'key', keys: [name], action: 'press', delayMs: 0 };
}

function typeCommand(text: string, clearModifiers: boolean): InputCommand {
  return { kind: 'type', text, delayMs: 0, ...(clearModifiers && { clearModifiers }) };
}

/** Keys that are not signs, as `KeyboardEvent.key` and as X names them. */
const namedKeys: ReadonlyMap<string, string> = new Map([
  ['Enter', 'Return'],
  ['Escape', 'Escape'],
  ['Backspace', 'BackSpace'],
  ['Tab', 'Tab'],
  ['Delete', 'Delete'],
  ['Insert', 'Insert'],
  ['Home', 'Home'],
  ['End', 'End'],
  ['PageUp', 'Page_Up'],
  ['PageDown', 'Page_Down'],
  ['ArrowLeft', 'Left'],
  ['ArrowRight', 'Right'],
  ['ArrowUp', 'Up'],
  ['ArrowDown', 'Down'],
  ['ContextMenu', 'Menu'],
  ['PrintScreen', 'Print'],
  ['Pause', 'Pause'],
  ['Help', 'Help'],
]);

/** Signs, except capitals, that need Shift on the sandbox's US keyboard. */
const shiftedSigns = new Set('~!@#$%^&*()_+{}|:"<>?');

/** The meaning of a key stroke for the sandbox. */
type KeyMeaning =
  /** A sign, regardless of its key on the person's keyboard. */
  | { readonly kind: 'sign'; readonly sign: string }
  /** A key by its X name; signs with Control and the like, too. */
  | { readonly kind: 'key'; readonly name: string };

/** Undefined for keys without a meaning there, such as Caps Lock, which the person's own system handles. */
export function readKeyMeaning({ key, code, held, altGraph }: KeyStroke): KeyMeaning | undefined {
  const name = namedKeys.get(key) ?? /^F([1-9]|1\d|2[0-4])$/.exec(key)?.[0];
  if (name !== undefined) return { kind: 'key', name };
  if ([...key].length !== 1) return undefined;
  const isShortcut = !altGraph && held.some((modifier) => modifier !== 'shift');
  if (!isShortcut) return { kind: 'sign', sign: key };
  // Option with a key is a sign on a Mac, and Control with one of another script is the key in that place.
  if (isAscii(key)) return { kind: 'key', name: key === ' ' ? 'space' : key.toLowerCase() };
  const place = /^(?:Key([A-Z])|Digit(\d))$/.exec(code);
  const isOption = held.includes('alt') && !held.includes('ctrl') && !held.includes('meta');
  if (isOption || !place) return { kind: 'sign', sign: key };
  return { kind: 'key', name: (place[1] ?? place[2] ?? '').toLowerCase() };
}

/** Whether the sandbox's keyboard needs Shift for a sign; undefined if it has no key for it. */
export function needsShift(sign: string): boolean | undefined {
  if (!isAscii(sign)) return undefined;
  return shiftedSigns.has(sign) || /^[A-Z]$/.test(sign);
}

function isAscii(sign: string): boolean {
  return /^[\x20-\x7e]$/.test(sign);
}
