import { correctKeyName, type InputCommand } from '../../node/index.ts';
import type { ComputerRead } from './action.ts';

/** Milliseconds between the clicks of a double click: toolkits drop clicks that come at once. */
const betweenClicksMs = 40;
const wheelButtons = { up: 4, down: 5, left: 6, right: 7 } as const;

/** The meaning of an action that is not a zoom. */
export function actingRead(commands: readonly InputCommand[]): ComputerRead {
  return { commands };
}

export function movePointer(x: number, y: number): InputCommand {
  return { kind: 'move', x, y, relative: false };
}

/** Presses or releases the left button. */
export function setButton(action: 'down' | 'up'): InputCommand {
  return { kind: 'button', button: 1, action, repeat: 1, delayMs: 0 };
}

export function pressKeys(keys: readonly string[]): InputCommand {
  return { kind: 'key', keys, action: 'press', delayMs: 0 };
}

/** Clicks at a place, or where the pointer is. */
export function clickAt(
  at: readonly [number, number] | undefined,
  button: number,
  repeat: number,
): InputCommand[] {
  const move = at ? [movePointer(at[0], at[1])] : [];
  const delayMs = repeat > 1 ? betweenClicksMs : 0;
  return [...move, { kind: 'button', button, action: 'click', repeat, delayMs }];
}

/** Turns the wheel by a number of notches. */
export function scrollWheel(direction: keyof typeof wheelButtons, notches: number): InputCommand[] {
  if (notches === 0) return [];
  return [{ kind: 'button', button: wheelButtons[direction], action: 'click', repeat: notches, delayMs: 0 }];
}

/** Does something while keys are held. */
export function holdKeys(keys: readonly string[], commands: readonly InputCommand[]): InputCommand[] {
  if (keys.length === 0) return [...commands];
  return [
    { kind: 'key', keys, action: 'down', delayMs: 0 },
    ...commands,
    { kind: 'key', keys, action: 'up', delayMs: 0 },
  ];
}

/** Names that models use for keys, besides those of X and xdotool, in lower case. */
const keyNames: Readonly<Record<string, string>> = {
  arrowleft: 'Left',
  arrowright: 'Right',
  arrowup: 'Up',
  arrowdown: 'Down',
  left: 'Left',
  right: 'Right',
  up: 'Up',
  down: 'Down',
  enter: 'Return',
  return: 'Return',
  esc: 'Escape',
  escape: 'Escape',
  space: 'space',
  spacebar: 'space',
  backspace: 'BackSpace',
  del: 'Delete',
  delete: 'Delete',
  ins: 'Insert',
  insert: 'Insert',
  tab: 'Tab',
  home: 'Home',
  end: 'End',
  pageup: 'Page_Up',
  page_up: 'Page_Up',
  pagedown: 'Page_Down',
  page_down: 'Page_Down',
  capslock: 'Caps_Lock',
  numlock: 'Num_Lock',
  scrolllock: 'Scroll_Lock',
  printscreen: 'Print',
  print_screen: 'Print',
  prtsc: 'Print',
  apps: 'Menu',
  contextmenu: 'Menu',
  context_menu: 'Menu',
  altgr: 'ISO_Level3_Shift',
  add: 'KP_Add',
  subtract: 'KP_Subtract',
  multiply: 'KP_Multiply',
  divide: 'KP_Divide',
  decimal: 'KP_Decimal',
  cmd: 'super',
  command: 'super',
  win: 'super',
  windows: 'super',
  meta: 'super',
  super: 'super',
  option: 'alt',
  alt: 'alt',
  ctrl: 'ctrl',
  control: 'ctrl',
  shift: 'shift',
};

/** Signs that would be misread in xdotool's chords, or that have names in X. */
const signNames: Readonly<Record<string, string>> = { '+': 'plus', '-': 'minus', ' ': 'space' };

/** A key as models name it, as the executor knows it: `ENTER` is Return, `f5` is F5, `KP_ADD` is KP_Add. */
export function normalizeKeyName(name: string): string {
  const lower = name.toLowerCase();
  if (Object.hasOwn(keyNames, lower)) return keyNames[lower] ?? name;
  if (Object.hasOwn(signNames, name)) return signNames[name] ?? name;
  if (/^f\d{1,2}$/.test(lower)) return lower.toUpperCase();
  const numpad = /^num(?:pad)?_?(\d|add|subtract|multiply|divide|decimal|enter)$/.exec(lower)?.[1];
  return correctKeyName(numpad === undefined ? name : `KP_${numpad}`);
}

/** The keys of a chord such as `ctrl+shift+p`. A sign alone or at the end may be a plus: `ctrl++`. */
export function parseChord(text: string): string[] {
  if (text === '+') return ['plus'];
  const keys = text.endsWith('++') ? [...text.slice(0, -2).split('+'), 'plus'] : text.split('+');
  return keys.map((key) => normalizeKeyName(key.trim()));
}

/** Pixels that Chromium scrolls for one notch of the wheel on X. */
const notchPixels = 53;
const mostNotches = 100;

/** Notches of the wheel for a distance in screen pixels: at least one for what is not nothing. */
export function countNotches(pixels: number): number {
  return Math.min(mostNotches, Math.ceil(Math.abs(pixels) / notchPixels));
}
