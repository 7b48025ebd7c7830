import type { Point } from '../../../bridge/protocol/index.ts';
import { clicksTogether, type InputCommand } from '../../node/index.ts';
import type { XdotoolPart } from './xdotool.ts';

/** The intent of input, as far as its effect is judged by it. Coordinates are screen pixels. */
export interface InputIntent {
  /** All that is typed, in order. */
  readonly typed: string;
  /** The whole content that a field should have afterwards. */
  readonly fills?: string;
  /** The only input is typing, so text that was selected before gets replaced. */
  readonly onlyTypes: boolean;
  /** Nothing but pointer motion: hovers come late. */
  readonly pointerOnly: boolean;
  /** The last place that the pointer is sent to; absent if it is sent to none, or only by distances. */
  readonly point?: Point;
  /** The last motion of the pointer. */
  readonly motion?: PointerMotion;
  /** Ends with a key that may run a command, as {@link endsWithCommand} says. What it opens may come late. */
  readonly commands: boolean;
  /** Presses and releases the left button, and otherwise only moves the pointer. */
  readonly clicks: boolean;
  /** Clicks of the left button that should count together, e.g. 2 for a double click; 1 for those that come one by one. */
  readonly together: number;
  /** Turns the wheel, without a key. */
  readonly wheel: boolean;
  /** Presses and releases the left button as two commands: a drag, or a part of one. */
  readonly drags: boolean;
  /** Uses buttons of the mouse, and no key. */
  readonly buttons: boolean;
  /** Presses keys that move a cursor or a selection, and nothing else. */
  readonly moves: boolean;
  /** Ends with the key that saves. */
  readonly saves: boolean;
  /** Holds a key or a button down. */
  readonly holds: boolean;
}

type PointerMotion = Extract<InputCommand, { kind: 'move' }>;

/** @param parts the input, in screen pixels; what the xdotool program does is not known */
export function deriveIntent(parts: readonly XdotoolPart[]): InputIntent {
  const commands = parts.flatMap((part) => ('input' in part ? part.input : []));
  const moves = commands.filter((command) => command.kind === 'move');
  const [point, motion] = [moves.findLast(({ relative }) => !relative), moves.at(-1)];
  const lastClick = commands.findLast(isLeftClick);
  return {
    typed: commands.flatMap((command) => (command.kind === 'type' ? [command.text] : [])).join(''),
    onlyTypes: commands.every(({ kind }) => kind === 'type'),
    pointerOnly: parts.every((part) => 'input' in part) && commands.every(isPointerOnly),
    ...(point && { point: { x: point.x, y: point.y } }),
    ...(motion && { motion }),
    commands: endsWithCommand(commands),
    clicks: commands.some(isLeftClick) && commands.every((one) => isPointerOnly(one) || isLeftClick(one)),
    together: lastClick ? clicksTogether(lastClick) : 1,
    wheel: commands.some(isWheel) && !commands.some(({ kind }) => kind === 'key'),
    drags: commands.some(isLeftPart),
    buttons: commands.some(({ kind }) => kind === 'button') && !commands.some(isKeyboard),
    moves: commands.some(isKeyboard) && commands.filter(isKeyboard).every(isMovement),
    saves: isSave(commands.at(-1)),
    holds: commands.some((command) => 'action' in command && command.action === 'down'),
  };
}

/** With ctrl these select, move and edit, in every field: they open nothing. */
const editingKeys = new Set(
  'ctrl control a c x v z y home end left right up down prior next page_up page_down backspace delete'.split(
    ' ',
  ),
);

/** Takes what was chosen, e.g. in the command palette. */
const acceptingKey = /^(return|kp_enter|enter)$/u;

/** Whether the last of it is a key that may open something: held with others, a function key, or one that accepts. */
export function endsWithCommand(commands: readonly InputCommand[]): boolean {
  const last = commands.at(-1);
  if (last?.kind !== 'key' || last.action !== 'press') return false;
  const keys = last.keys.filter((name) => !/^shift/iu.test(name)).map((name) => name.toLowerCase());
  if (keys.every((name) => editingKeys.has(name))) return false;
  return keys.length > 1 || keys.some((name) => /^f\d+$/u.test(name) || acceptingKey.test(name));
}

function isPointerOnly({ kind }: InputCommand): boolean {
  return kind === 'move' || kind === 'locate' || kind === 'sleep';
}

function isLeftClick(command: InputCommand): boolean {
  return command.kind === 'button' && command.button === 1 && command.action === 'click';
}

function isLeftPart(command: InputCommand): boolean {
  return command.kind === 'button' && command.button === 1 && command.action !== 'click';
}

function isKeyboard({ kind }: InputCommand): boolean {
  return kind === 'key' || kind === 'type';
}

const movementKeys =
  /^(left|right|up|down|home|end|prior|next|page_?up|page_?down|shift(_[lr])?|ctrl|control(_[lr])?)$/iu;

function isMovement(command: InputCommand): boolean {
  return command.kind === 'key' && command.keys.every((name) => movementKeys.test(name));
}

function isSave(command: InputCommand | undefined): boolean {
  if (command?.kind !== 'key' || command.action !== 'press') return false;
  return /^(ctrl|control(_[lr])?)\+s$/iu.test(command.keys.join('+'));
}

function isWheel(command: InputCommand): boolean {
  return command.kind === 'button' && command.button >= 4 && command.button <= 7;
}
