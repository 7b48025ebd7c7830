import type { InputCommand } from '../../node/index.ts';
import type { InputMessage, KeyStroke, Modifier, Place } from '../page/index.ts';
import { meaningOf, needsShift } from './keys.ts';

/** Buttons of a `MouseEvent` by their numbers on X: left, middle, right, back, forward. */
const buttons = [1, 2, 3, 8, 9];
const turnUp = 4;
const turnDown = 5;
const turnLeft = 6;
const turnRight = 7;

/** Input that is played directly; pasting and copying need more than the devices. */
export type PlainInput = Exclude<InputMessage, { readonly type: 'paste' | 'copy' }>;

/** Turns one person's input in a page into commands, and tracks the keys that they hold down. */
export class Commands {
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
        const button = buttons[message.button] ?? 1;
        return [this.#move(message), press(button, message.down ? 'down' : 'up')];
      }
      case 'wheel':
        return [
          this.#move(message),
          ...turned(message.down, turnUp, turnDown),
          ...turned(message.across, turnLeft, turnRight),
        ];
      case 'modifier':
        return this.#hold(message.modifier, message.down);
      case 'key':
        return this.#stroke(message);
      case 'text':
        return [type(message.text, this.#held.size > 0)];
      case 'release':
        this.#held.clear();
        return [{ kind: 'release' }];
    }
  }

  /** Keys that are pressed together, regardless of the held ones. */
  shortcut(modifiers: readonly Modifier[], name: string): InputCommand[] {
    const keys = [...modifiers.map((modifier) => xName[modifier]), name];
    return [{ kind: 'key', keys, action: 'press', delayMs: 0, clearModifiers: this.#held.size > 0 }];
  }

  #stroke(stroke: KeyStroke): InputCommand[] {
    const meaning = meaningOf(stroke);
    const held = this.#correct(stroke);
    if (!meaning) return held;
    if (meaning.kind === 'sign') return [...held, this.#sign(meaning.sign, stroke)];
    return [...held, ...this.#unshifted(meaning.name, strike(meaning.name))];
  }

  #sign(sign: string, { altGraph }: KeyStroke): InputCommand {
    const isShifted = this.#held.has('shift');
    // The person's keyboard has the sign on another key: Shift must not apply to the sandbox's key.
    const differs = isShifted && needsShift(sign) === false;
    const others = [...this.#held].some((modifier) => modifier !== 'shift');
    return type(sign, differs || altGraph || others);
  }

  /** Releases Shift if the person needs it for a sign that the sandbox's keyboard has without it. */
  #unshifted(name: string, command: InputCommand): InputCommand[] {
    const isLetterOrKey = name.length > 1 || /^[a-z]$/.test(name);
    if (isLetterOrKey || !this.#held.has('shift') || needsShift(name) !== false) return [command];
    return [key('shift', 'up'), command, key('shift', 'down')];
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
    return [key(xName[modifier], down ? 'down' : 'up')];
  }

  #move({ x, y }: Place): InputCommand {
    const { width, height } = this.#screen;
    return { kind: 'move', x: within(x, width), y: within(y, height), relative: false };
  }
}

const xName: Readonly<Record<Modifier, string>> = { shift: 'shift', ctrl: 'ctrl', alt: 'alt', meta: 'super' };

function within(value: number, size: number): number {
  return Math.min(Math.max(Math.round(value), 0), size - 1);
}

function press(button: number, action: 'down' | 'up'): InputCommand {
  return { kind: 'button', button, action, repeat: 1, delayMs: 0 };
}

function turned(turns: number, less: number, more: number): InputCommand[] {
  if (turns === 0) return [];
  const button = turns < 0 ? less : more;
  return [{ kind: 'button', button, action: 'click', repeat: Math.abs(turns), delayMs: 0 }];
}

function key(name: string, action: 'down' | 'up'): InputCommand {
  return { kind: 'key', keys: [name], action, delayMs: 0 };
}

function strike(name: string): InputCommand {
  return { kind: 'key', keys: [name], action: 'press', delayMs: 0 };
}

function type(text: string, clearModifiers: boolean): InputCommand {
  return { kind: 'type', text, delayMs: 0, ...(clearModifiers && { clearModifiers }) };
}
