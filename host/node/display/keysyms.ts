import x11 from 'x11';
import type { Keymap } from './keyboard.ts';

/** Bit that marks a keysym as a Unicode character beyond Latin-1. */
const unicodeBit = 0x0100_0000;
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
type NamedKey = { readonly keysym: number } | { readonly keycode: number };

/** Resolves a word of xdotool's `key`: alias, keysym name, `U20AC`, one character, or a keycode. Undefined: unknown. */
export function findKeyByName(word: string): NamedKey | undefined {
  const name = aliases.get(word.toLowerCase()) ?? word;
  const listed = listedKeysym(name);
  if (listed !== undefined) return { keysym: listed };
  const hex = /^U\+?([0-9A-Fa-f]{2,6})$/.exec(name)?.[1];
  const keysym = findCharacterKeysym(hex === undefined ? name : fromCodePoint(Number.parseInt(hex, 16)));
  if (keysym !== undefined) return { keysym };
  return /^[1-9]\d{1,2}$/.test(name) && Number(name) <= 255 ? { keycode: Number(name) } : undefined;
}

/** The keysym of one character; undefined for what no keyboard can type. */
export function findCharacterKeysym(character: string): number | undefined {
  const control = controls.get(character);
  if (control !== undefined) return listedKeysym(control);
  const code = character.codePointAt(0);
  if (code === undefined || String.fromCodePoint(code) !== character) return undefined;
  const surrogate = code >= 0xd800 && code <= 0xdfff;
  if (surrogate || code < 0x20 || (code >= 0x7f && code < 0xa0)) return undefined;
  return code <= 0xff ? code : code + unicodeBit;
}

/** A name that an unknown one perhaps meant: the same letters in another case. */
export function suggestKeyName(word: string): string | undefined {
  const lower = word.toLowerCase();
  const meant = commonMistakes.get(lower) ?? lower;
  const name = Object.keys(x11.keySyms).find((listed) => listed.toLowerCase() === `xk_${meant}`);
  return name?.slice('XK_'.length);
}

/**
 * The canonical name of a key as a person wrote it: `CAPS_LOCK` gives Caps_Lock. Text that is not a key stays as it is.
 */
export function correctKeyName(word: string): string {
  return findKeyByName(word) === undefined ? (suggestKeyName(word) ?? word) : word;
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

/** Keysyms to type in order, and those of them that need a spare keycode first. */
interface TypingBatch {
  readonly bind: readonly number[];
  readonly keysyms: readonly number[];
}

/** The first character that no keyboard can type, e.g. U+0000, and its position from 1, counted in characters. */
export function findUntypable(
  text: string,
): { readonly character: string; readonly position: number } | undefined {
  let position = 0;
  for (const character of text) {
    position += 1;
    if (findCharacterKeysym(character) === undefined) return { character, position };
  }
  return undefined;
}

/**
 * Cuts text into batches so that each fits the spare keycodes that one batch may use. Where one batch is not enough,
 * each gets half of them: the keycodes bound by the batch before stay bound while its events are still being read.
 */
export function planTyping(text: string, keymap: Pick<Keymap, 'find' | 'spare'>): TypingBatch[] {
  const keysyms = [...text.replaceAll('\r\n', '\n')].flatMap(
    (character) => findCharacterKeysym(character) ?? [],
  );
  const foreign = (keysym: number) => keymap.find(keysym) === undefined;
  const all = new Set(keysyms.filter(foreign));
  if (all.size <= keymap.spare.length) return keysyms.length === 0 ? [] : [{ bind: [...all], keysyms }];
  return splitBatches(keysyms, foreign, Math.max(1, Math.floor(keymap.spare.length / 2)));
}

function splitBatches(
  keysyms: readonly number[],
  foreign: (keysym: number) => boolean,
  room: number,
): TypingBatch[] {
  const batches: TypingBatch[] = [];
  let bind = new Set<number>();
  let start = 0;
  keysyms.forEach((keysym, i) => {
    if (!foreign(keysym) || bind.has(keysym)) return;
    if (bind.size === room) {
      batches.push({ bind: [...bind], keysyms: keysyms.slice(start, i) });
      bind = new Set();
      start = i;
    }
    bind.add(keysym);
  });
  batches.push({ bind: [...bind], keysyms: keysyms.slice(start) });
  return batches;
}
