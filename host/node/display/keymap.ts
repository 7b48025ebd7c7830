/** A key to press and the modifier keys that have to be down for its sign. */
export interface Key {
  readonly keycode: number;
  readonly modifiers: readonly number[];
}

const shiftKeysym = 0xffe1;
const altGrKeysym = 0xfe03;
/** Keysyms of keys that have no sign: modifiers, arrows, function keys. */
const firstFunction = 0xfe00;
const lastFunction = 0xffff;
/**
 * Keys of Japanese and Brazilian keyboards (Zenkaku, Ro, the keypad's comma, Yen) in the numbering of evdev. Browsers
 * know them by their place, regardless of the sign bound to them, and terminals in a page take them for that key and
 * drop the sign.
 */
const meaningful = new Set([93, 97, 103, 132]);
/** Rows of the modifier map whose state needs no release: Lock and, by custom, Num Lock. */
const latching = new Set([1, 4]);

/**
 * The keyboard of an X server as the core protocol describes it: one row of keysyms for each keycode. Columns 0 and 1
 * are plain and Shift, columns 4 and 5 AltGr and AltGr with Shift.
 */
export class Keymap {
  readonly #keys = new Map<number, Key>();
  /** Keycodes that may be lent: without any keysym, without a place in the modifier map, and without a meaning. */
  readonly spare: readonly number[];
  /** Keycodes of Shift, Control, Alt, Super, AltGr: what `--clearmodifiers` releases. */
  readonly modifierKeycodes: readonly number[];
  readonly columns: number;

  constructor(
    first: number,
    rows: readonly (readonly number[])[],
    modifiers: readonly (readonly number[])[],
  ) {
    const used = new Set(modifiers.flat());
    const keycodeOf = (keysym: number) => rows.findIndex((row) => row.includes(keysym)) + first;
    const shift = keycodeOf(shiftKeysym);
    const altGr = keycodeOf(altGrKeysym);
    const levels: [number, number[]][] = [
      [0, []],
      [1, [shift]],
    ];
    // Without a key for it in the modifier map, columns 4 and 5 mean something else (Ctrl+Alt on function keys).
    if (used.has(altGr)) levels.push([4, [altGr]], [5, [altGr, shift]]);
    rows.forEach((row, i) => {
      for (const [column, modifiers] of levels)
        this.#add(row[column] ?? 0, { keycode: first + i, modifiers });
    });
    this.spare = rows.flatMap((row, i) =>
      row.every((sym) => sym === 0) && !used.has(i + first) && !meaningful.has(i + first) ? [i + first] : [],
    );
    this.modifierKeycodes = modifiers
      .flatMap((row, i) => (latching.has(i) ? [] : row))
      .filter((code) => code !== 0);
    this.columns = rows[0]?.length ?? 0;
  }

  /** The key for a keysym; undefined if the map has none. */
  find(keysym: number): Key | undefined {
    return this.#keys.get(keysym);
  }

  /**
   * Of several keys for a sign the first, as xdotool does: later keycodes are those of odd keyboards, which have a key
   * of their own for a parenthesis. Of several for a function the one that needs no modifiers.
   */
  #add(keysym: number, key: Key): void {
    if (keysym === 0) return;
    const known = this.#keys.get(keysym);
    const better = keysym >= firstFunction && keysym <= lastFunction && key.modifiers.length === 0;
    if (known === undefined || (better && known.modifiers.length > 0)) this.#keys.set(keysym, key);
  }
}
