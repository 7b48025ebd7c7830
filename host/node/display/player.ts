import type { XTest } from 'x11';
import { SerialQueue } from '../../../bridge/lib/index.ts';
import type { InputCommand, InputResult } from '../input.ts';
import { Bindings } from './bindings.ts';
import { whyNot } from './check.ts';
import type { Connection } from './connection.ts';
import { InputBarrier } from './input-barrier.ts';
import { BatchJournal } from './batch-journal.ts';
import { Keyboard } from './keyboard.ts';
import { Playing } from './playing.ts';
import { Presses } from './presses.ts';

/** Plays batches of input commands on one X server, one batch at a time. */
export class Player {
  readonly #connection: Connection;
  readonly #xtest: XTest;
  readonly #barrier: InputBarrier;
  readonly #keyboard: Keyboard;
  readonly #journal: BatchJournal;
  readonly #batches = new SerialQueue();

  private constructor(connection: Connection, xtest: XTest, barrier: InputBarrier, journal: BatchJournal) {
    this.#connection = connection;
    this.#journal = journal;
    this.#xtest = xtest;
    this.#barrier = barrier;
    this.#keyboard = new Keyboard(connection);
  }

  static async on(connection: Connection): Promise<Player> {
    const xtest = await connection.extension('xtest');
    return new Player(
      connection,
      xtest,
      await InputBarrier.on(connection),
      await BatchJournal.on(connection, xtest),
    );
  }

  /** Checks the whole batch first, so that one which can't be played to its end is not begun. */
  play(commands: readonly InputCommand[], signal: AbortSignal): Promise<InputResult> {
    return this.#batches.run(() => this.#play(commands, signal));
  }

  async #play(commands: readonly InputCommand[], signal: AbortSignal): Promise<InputResult> {
    signal.throwIfAborted();
    const reasons = commands.map((command) => whyNot(command, this.#connection.size));
    const index = reasons.findIndex((reason) => reason !== undefined);
    const message = reasons[index];
    if (message !== undefined) return { executed: 0, failure: { index, message }, locations: [] };
    const [keymap, down] = await Promise.all([this.#keyboard.keymap(), this.#keyboard.down()]);
    const presses = new Presses(this.#connection, this.#xtest, down);
    const bindings = new Bindings(this.#connection, keymap, this.#journal);
    const playing = new Playing({
      connection: this.#connection,
      xtest: this.#xtest,
      barrier: this.#barrier,
      presses,
      keymap,
      bindings,
    });
    if (commands.some(pressesSomething)) this.#journal.note([]);
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
    if (bindings.used) {
      await this.#barrier.wait(new AbortController().signal);
      await bindings.giveBack();
    }
    this.#journal.end();
  }
}

function pressesSomething({ kind }: InputCommand): boolean {
  return kind === 'button' || kind === 'key' || kind === 'type';
}
