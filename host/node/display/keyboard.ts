import type { XTest } from 'x11';
import type { XConnection } from './x-connection.ts';

/** The keyboard's map, read again only after it changed, and the keys that are down. */
export class XKeyboard {
  readonly #connection: XConnection;
  #keymap: Promise<Keymap> | undefined;

  constructor(connection: XConnection) {
    this.#connection = connection;
    connection.onEvent((event) => {
      if (event.name === 'MappingNotify') this.#keymap = undefined;
    });
  }

  keymap(): Promise<Keymap> {
    return (this.#keymap ??= this.#read());
  }

  /** Keycodes that are down now. */
  down(): Promise<number[]> {
    return readPressedKeys(this.#connection);
  }

  async #read(): Promise<Keymap> {
    const { client, keycodes } = this.#connection;
    const count = keycodes.last - keycodes.first + 1;
    const [rows, modifiers] = await Promise.all([
      this.#connection.ask<number[][]>('the keyboard map', (answer) =>
        client.GetKeyboardMapping(keycodes.first, count, answer),
      ),
      this.#connection.ask<number[][]>('the modifier map', (answer) => client.GetModifierMapping(answer)),
    ]);
    return new Keymap(keycodes.first, rows, modifiers);
  }
}

/** Keycodes that are down now. */
export async function readPressedKeys(connection: XConnection): Promise<number[]> {
  const bits = await connection.ask<Buffer>('the keys that are down', (answer) =>
    connection.client.QueryKeymap(answer),
  );
  return Array.from({ length: 256 }, (_, keycode) => keycode).filter(
    (keycode) => ((bits[keycode >> 3] ?? 0) >> (keycode & 7)) & 1,
  );
}

/** A key to press and the modifier keys that have to be down for its sign. */
export interface MappedKey {
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
  readonly #keys = new Map<number, MappedKey>();
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
  find(keysym: number): MappedKey | undefined {
    return this.#keys.get(keysym);
  }

  /**
   * Of several keys for a sign the first, as xdotool does: later keycodes are those of odd keyboards, which have a key
   * of their own for a parenthesis. Of several for a function the one that needs no modifiers.
   */
  #add(keysym: number, key: MappedKey): void {
    if (keysym === 0) return;
    const known = this.#keys.get(keysym);
    const better = keysym >= firstFunction && keysym <= lastFunction && key.modifiers.length === 0;
    if (known === undefined || (better && known.modifiers.length > 0)) this.#keys.set(keysym, key);
  }
}

/** Fake key, button and motion events. It tracks what is down, so that a batch that fails can release it. */
export class InputInjector {
  readonly #connection: XConnection;
  readonly #xtest: XTest;
  /** Keycodes that are down, pressed by any client. */
  readonly #down: Set<number>;
  readonly #keys = new Set<number>();
  readonly #buttons = new Set<number>();

  /** @param down keycodes that are down already, e.g. by a `keydown` of an earlier batch */
  constructor(connection: XConnection, xtest: XTest, down: Iterable<number>) {
    this.#connection = connection;
    this.#xtest = xtest;
    this.#down = new Set(down);
  }

  move(x: number, y: number): void {
    this.#fake(this.#xtest.MotionNotify, 0, { x, y });
  }

  /** @param afterMs milliseconds that the server waits before it, by its own clock */
  button(button: number, down: boolean, afterMs = 0): void {
    if (down) this.#buttons.add(button);
    else this.#buttons.delete(button);
    this.#fake(down ? this.#xtest.ButtonPress : this.#xtest.ButtonRelease, button, { afterMs });
  }

  key(keycode: number, down: boolean): void {
    if (down) {
      if (!this.#down.has(keycode)) this.#keys.add(keycode);
      this.#down.add(keycode);
    } else {
      this.#keys.delete(keycode);
      this.#down.delete(keycode);
    }
    this.#fake(down ? this.#xtest.KeyPress : this.#xtest.KeyRelease, keycode);
  }

  /** Presses and releases keys: modifiers first, the keys in order, up in reverse. Modifiers held before stay held. */
  stroke(keys: readonly MappedKey[]): void {
    const order: number[] = [];
    const press = (keycode: number) => {
      this.key(keycode, true);
      order.push(keycode);
    };
    for (const { keycode, modifiers } of keys) {
      for (const modifier of modifiers) if (!this.#down.has(modifier)) press(modifier);
      press(keycode);
    }
    for (const keycode of order.reverse()) this.key(keycode, false);
  }

  /** Those of the keycodes that are down. */
  heldOf(keycodes: readonly number[]): number[] {
    return keycodes.filter((keycode) => this.#down.has(keycode));
  }

  /** Releases everything that this batch pressed and still holds. */
  releaseAll(): void {
    for (const button of [...this.#buttons]) this.button(button, false);
    for (const keycode of [...this.#keys].reverse()) this.key(keycode, false);
  }

  /** Everything was released by other means. */
  forget(): void {
    this.#down.clear();
    this.#keys.clear();
    this.#buttons.clear();
  }

  #fake(type: number, detail: number, { x = 0, y = 0, afterMs = 0 } = {}): void {
    this.#xtest.FakeInput(type, detail, afterMs, this.#connection.root, x, y);
  }
}

/** The first of the bits that show which of buttons 1 to 5 are down. */
const firstButtonBit = 8;
const reportedButtons = 5;
/** X does not report these; releasing one that is up does nothing. */
const unreportedButtons = [6, 7, 8, 9];

/** Bits of the modifiers that are on, and the rows of the modifier map whose keys switch them. */
const capsLock = { bit: 1 << 1, row: 1 };
const numLock = { bit: 1 << 4, row: 4 };

/** Releases every key and button that is down, and switches off Caps Lock and Num Lock. */
export async function releaseAllInput(connection: XConnection, xtest: XTest): Promise<void> {
  const { client, root } = connection;
  const [keycodes, pointer] = await Promise.all([
    readPressedKeys(connection),
    connection.ask<{ readonly keyMask: number }>('the pointer', (answer) =>
      client.QueryPointer(root, answer),
    ),
  ]);
  const buttons = Array.from({ length: reportedButtons }, (_, i) => i + 1).filter(
    (button) => (pointer.keyMask >> (firstButtonBit + button - 1)) & 1,
  );
  for (const button of [...buttons, ...unreportedButtons])
    xtest.FakeInput(xtest.ButtonRelease, button, 0, root, 0, 0);
  for (const keycode of keycodes) xtest.FakeInput(xtest.KeyRelease, keycode, 0, root, 0, 0);
  await switchLocksOff(connection, xtest);
  await connection.sync();
}

/** With a lock on, typing would give other letters, and keys of the keypad would be other keys. */
async function switchLocksOff(connection: XConnection, xtest: XTest): Promise<void> {
  const codes = await findActiveLockKeys(connection, [capsLock, numLock]);
  for (const code of codes) strikeKey(connection, xtest, code);
}

/** Switches off Caps Lock, if it is on, and on again when the returned value is disposed of. */
export async function withoutCapsLock(connection: XConnection, xtest: XTest): Promise<Disposable> {
  const codes = await findActiveLockKeys(connection, [capsLock]);
  const switchIt = () => {
    for (const code of codes) strikeKey(connection, xtest, code);
  };
  switchIt();
  return { [Symbol.dispose]: switchIt };
}

/** The keys that switch off those of the locks that are on. */
async function findActiveLockKeys(
  connection: XConnection,
  locks: readonly { bit: number; row: number }[],
): Promise<number[]> {
  const { client, root } = connection;
  const { keyMask } = await connection.ask<{ readonly keyMask: number }>('the locks', (answer) =>
    client.QueryPointer(root, answer),
  );
  const on = locks.filter(({ bit }) => (keyMask & bit) !== 0);
  if (on.length === 0) return [];
  const rows = await connection.ask<number[][]>('the modifier map', (answer) =>
    client.GetModifierMapping(answer),
  );
  return on.flatMap(({ row }) => rows[row]?.find((code) => code !== 0) ?? []);
}

function strikeKey({ root }: XConnection, xtest: XTest, keycode: number): void {
  xtest.FakeInput(xtest.KeyPress, keycode, 0, root, 0, 0);
  xtest.FakeInput(xtest.KeyRelease, keycode, 0, root, 0, 0);
}
