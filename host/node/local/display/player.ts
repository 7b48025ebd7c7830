import type { XTest } from 'x11';
import { pause } from '../../../../bridge/lib/index.ts';
import type { InputCommand, InputResult } from '../../input.ts';
import { Bindings } from './bindings.ts';
import { whyNot } from './check.ts';
import type { Connection } from './connection.ts';
import { Heed } from './heed.ts';
import { Keyboard } from './keyboard.ts';
import { Playing } from './playing.ts';
import { Presses } from './presses.ts';

/** Buttons that the state of the pointer tells of, and the bit of the first. */
const buttons = [1, 2, 3, 4, 5];
const firstButtonBit = 1 << 8;

/** Plays batches of input commands on one X server, one batch at a time. */
export class Player {
  readonly #connection: Connection;
  readonly #xtest: XTest;
  readonly #heed: Heed;
  readonly #keyboard: Keyboard;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(connection: Connection, xtest: XTest, heed: Heed) {
    this.#connection = connection;
    this.#xtest = xtest;
    this.#heed = heed;
    this.#keyboard = new Keyboard(connection);
  }

  static async on(connection: Connection): Promise<Player> {
    return new Player(connection, await connection.extension('xtest'), await Heed.on(connection));
  }

  /** Checks the whole batch first, so that one which can't be played to its end is not begun. */
  play(commands: readonly InputCommand[], signal: AbortSignal): Promise<InputResult> {
    const result = this.#turn.then(() => this.#play(commands, signal));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Lets go of all keys and buttons that are down, whoever pressed them. */
  async letGo(): Promise<void> {
    const { client, root } = this.#connection;
    const [keys, pointer] = await Promise.all([
      this.#keyboard.down(),
      this.#connection.ask<{ readonly keyMask: number }>('the pointer', (answer) =>
        client.QueryPointer(root, answer),
      ),
    ]);
    const { KeyRelease, ButtonRelease } = this.#xtest;
    for (const keycode of keys) this.#xtest.FakeInput(KeyRelease, keycode, 0, root, 0, 0);
    for (const button of buttons)
      if (pointer.keyMask & (firstButtonBit << (button - 1)))
        this.#xtest.FakeInput(ButtonRelease, button, 0, root, 0, 0);
    await this.#connection.sync();
  }

  async #play(commands: readonly InputCommand[], signal: AbortSignal): Promise<InputResult> {
    signal.throwIfAborted();
    const reasons = commands.map((command) => whyNot(command, this.#connection.size));
    const index = reasons.findIndex((reason) => reason !== undefined);
    const message = reasons[index];
    if (message !== undefined) return { executed: 0, failure: { index, message }, locations: [] };
    const [keymap, down] = await Promise.all([this.#keyboard.keymap(), this.#keyboard.down()]);
    const presses = new Presses(this.#connection, this.#xtest, down);
    const bindings = new Bindings(this.#connection, keymap);
    const playing = new Playing(this.#connection, presses, keymap, bindings, this.#heed);
    try {
      const result = await playing.run(commands, signal);
      if (result.failure !== undefined) presses.releaseAll();
      return result;
    } catch (error) {
      presses.releaseAll();
      throw error;
    } finally {
      await this.#giveBack(bindings);
    }
  }

  /** Also after a cancelled batch: the map would stay changed for everyone. */
  async #giveBack(bindings: Bindings): Promise<void> {
    if (!bindings.used) return;
    await this.#heed.read(new AbortController().signal);
    await bindings.giveBack();
    await pause(0);
  }
}
