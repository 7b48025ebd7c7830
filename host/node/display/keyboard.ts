import type { Connection } from './connection.ts';
import { Keymap } from './keymap.ts';

/** The keyboard's map, read again only after it changed, and the keys that are down. */
export class Keyboard {
  readonly #connection: Connection;
  #keymap: Promise<Keymap> | undefined;

  constructor(connection: Connection) {
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
    return keysDown(this.#connection);
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
export async function keysDown(connection: Connection): Promise<number[]> {
  const bits = await connection.ask<Buffer>('the keys that are down', (answer) =>
    connection.client.QueryKeymap(answer),
  );
  return Array.from({ length: 256 }, (_, keycode) => keycode).filter(
    (keycode) => ((bits[keycode >> 3] ?? 0) >> (keycode & 7)) & 1,
  );
}
