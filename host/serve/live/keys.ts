import type { KeyStroke } from '../page/index.ts';

/** Keys that are not signs, as `KeyboardEvent.key` and as X names them. */
const named: ReadonlyMap<string, string> = new Map([
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
const shifted = new Set('~!@#$%^&*()_+{}|:"<>?');

/** The meaning of a key stroke for the sandbox. */
export type Meaning =
  /** A sign, regardless of its key on the person's keyboard. */
  | { readonly kind: 'sign'; readonly sign: string }
  /** A key by its X name; signs with Control and the like, too. */
  | { readonly kind: 'key'; readonly name: string };

/** Undefined for keys without a meaning there, such as Caps Lock, which the person's own system handles. */
export function meaningOf({ key, code, held, altGraph }: KeyStroke): Meaning | undefined {
  const name = named.get(key) ?? /^F([1-9]|1\d|2[0-4])$/.exec(key)?.[0];
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
  return shifted.has(sign) || /^[A-Z]$/.test(sign);
}

function isAscii(sign: string): boolean {
  return /^[\x20-\x7e]$/.test(sign);
}
