import { characterKeysym } from './keysyms.ts';
import type { Keymap } from './keymap.ts';

/** Keysyms to type in order, and those of them that need a spare keycode first. */
export interface Batch {
  readonly bind: readonly number[];
  readonly keysyms: readonly number[];
}

/** The first character that no keyboard can type, e.g. U+0000, and its position from 1, counted in characters. */
export function untypable(
  text: string,
): { readonly character: string; readonly position: number } | undefined {
  let position = 0;
  for (const character of text) {
    position += 1;
    if (characterKeysym(character) === undefined) return { character, position };
  }
  return undefined;
}

/**
 * Cuts text into batches so that each fits the spare keycodes that one batch may use. Where one batch is not enough,
 * each gets half of them: the keycodes bound by the batch before stay bound while its events are still being read.
 */
export function planTyping(text: string, keymap: Pick<Keymap, 'find' | 'spare'>): Batch[] {
  const keysyms = [...text.replaceAll('\r\n', '\n')].flatMap((character) => characterKeysym(character) ?? []);
  const foreign = (keysym: number) => keymap.find(keysym) === undefined;
  const all = new Set(keysyms.filter(foreign));
  if (all.size <= keymap.spare.length) return keysyms.length === 0 ? [] : [{ bind: [...all], keysyms }];
  return cut(keysyms, foreign, Math.max(1, Math.floor(keymap.spare.length / 2)));
}

function cut(keysyms: readonly number[], foreign: (keysym: number) => boolean, room: number): Batch[] {
  const batches: Batch[] = [];
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
