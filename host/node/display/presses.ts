import type { XTest } from 'x11';
import type { Connection } from './connection.ts';
import type { Key } from './keymap.ts';

/** Fake key, button and motion events. It tracks what is down, so that a batch that fails can release it. */
export class Presses {
  readonly #connection: Connection;
  readonly #xtest: XTest;
  /** Keycodes that are down, pressed by any client. */
  readonly #down: Set<number>;
  readonly #keys = new Set<number>();
  readonly #buttons = new Set<number>();

  /** @param down keycodes that are down already, e.g. by a `keydown` of an earlier batch */
  constructor(connection: Connection, xtest: XTest, down: Iterable<number>) {
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
  stroke(keys: readonly Key[]): void {
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
