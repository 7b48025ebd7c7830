import x11 from 'x11';

/** Bit that marks a keysym as a Unicode character beyond Latin-1. */
const unicode = 0x0100_0000;
const lastCharacter = 0x10_ffff;

/** xdotool's own names, in any case. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['alt', 'Alt_L'],
  ['ctrl', 'Control_L'],
  ['control', 'Control_L'],
  ['meta', 'Meta_L'],
  ['super', 'Super_L'],
  ['shift', 'Shift_L'],
  ['enter', 'Return'],
  ['return', 'Return'],
]);

/** Characters that are keys rather than signs. */
const controls: ReadonlyMap<string, string> = new Map([
  ['\n', 'Return'],
  ['\r', 'Return'],
  ['\t', 'Tab'],
  ['\b', 'BackSpace'],
  ['\u001b', 'Escape'],
  ['\u007f', 'Delete'],
]);

/** The meaning of a key word: a keysym, or a keycode as such (`xdotool key 38`). */
export type KeyName = { readonly keysym: number } | { readonly keycode: number };

/** Resolves a word of xdotool's `key`: alias, keysym name, `U20AC`, one character, or a keycode. Undefined: unknown. */
export function keyNamed(word: string): KeyName | undefined {
  const name = aliases.get(word.toLowerCase()) ?? word;
  const listed = listedKeysym(name);
  if (listed !== undefined) return { keysym: listed };
  const hex = /^U\+?([0-9A-Fa-f]{2,6})$/.exec(name)?.[1];
  const keysym = characterKeysym(hex === undefined ? name : fromCodePoint(Number.parseInt(hex, 16)));
  if (keysym !== undefined) return { keysym };
  return /^[1-9]\d{1,2}$/.test(name) && Number(name) <= 255 ? { keycode: Number(name) } : undefined;
}

/** The keysym of one character; undefined for what no keyboard can type. */
export function characterKeysym(character: string): number | undefined {
  const control = controls.get(character);
  if (control !== undefined) return listedKeysym(control);
  const code = character.codePointAt(0);
  if (code === undefined || String.fromCodePoint(code) !== character) return undefined;
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (surrogate || code < 0x20 || (code >= 0x7f && code < 0xa0)) return undefined;
  return code <= 0xff ? code : code + unicode;
}

/** A name that an unknown one perhaps meant: the same letters in another case. */
export function similarName(word: string): string | undefined {
  const lower = word.toLowerCase();
  const meant = commonMistakes.get(lower) ?? lower;
  const name = Object.keys(x11.keySyms).find((listed) => listed.toLowerCase() === `xk_${meant}`);
  return name?.slice('XK_'.length);
}

/**
 * The canonical name of a key as a person wrote it: `CAPS_LOCK` gives Caps_Lock. Text that is not a key stays as it is.
 */
export function keyMeant(word: string): string {
  return keyNamed(word) === undefined ? (similarName(word) ?? word) : word;
}

const commonMistakes: ReadonlyMap<string, string> = new Map([
  ['esc', 'escape'],
  ['del', 'delete'],
  ['ins', 'insert'],
  ['pageup', 'page_up'],
  ['pagedown', 'page_down'],
  ['arrowup', 'up'],
  ['arrowdown', 'down'],
  ['arrowleft', 'left'],
  ['arrowright', 'right'],
  ['cmd', 'super_l'],
  ['command', 'super_l'],
  ['win', 'super_l'],
  ['option', 'alt_l'],
]);

function listedKeysym(name: string): number | undefined {
  const key = `XK_${name}`;
  return Object.hasOwn(x11.keySyms, key) ? x11.keySyms[key]?.code : undefined;
}

function fromCodePoint(code: number): string {
  return code <= lastCharacter ? String.fromCodePoint(code) : '';
}
