import type { XTest } from 'x11';
import { SerialQueue } from '../../../bridge/lib/index.ts';
import type { InputCommand, InputResult } from '../input.ts';
import { Bindings } from './bindings.ts';
import { whyNot } from './check.ts';
import type { Connection } from './connection.ts';
import { InputBarrier } from './input-barrier.ts';
import { BatchJournal } from './batch-journal.ts';
import { Keyboard } from './keyboard.ts';
import { whileAllowed, type Leave } from './leave.ts';
import type { Keymap } from './keymap.ts';
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

  /**
   * Checks the whole batch first, so that one which can't be played to its end is not begun.
   * @param leave has a say in whether it is played
   */
  play(commands: readonly InputCommand[], signal: AbortSignal, leave?: Leave): Promise<InputResult> {
    return this.#batches.run(() => this.#play(commands, signal, leave));
  }

  /** Whether another connection is in the middle of a batch that presses something. */
  othersPlay(): Promise<boolean> {
    return this.#journal.hasOthers();
  }

  async #play(
    commands: readonly InputCommand[],
    signal: AbortSignal,
    leave: Leave | undefined,
  ): Promise<InputResult> {
    signal.throwIfAborted();
    const reasons = commands.map((command) => whyNot(command, this.#connection.size));
    const index = reasons.findIndex((reason) => reason !== undefined);
    const message = reasons[index];
    if (message !== undefined) return { executed: 0, failure: { index, message }, locations: [] };
    // Before leave is asked for: the one who withdraws it looks for the note afterwards, so one of the two sees the other.
    if (commands.some(pressesSomething)) this.#journal.note([]);
    try {
      const [keymap, down] = await Promise.all([this.#keyboard.keymap(), this.#keyboard.down()]);
      leave?.begin();
      using allowed = whileAllowed(leave, signal);
      return await this.#playWith(
        keymap,
        new Presses(this.#connection, this.#xtest, down),
        commands,
        allowed.signal,
      );
    } finally {
      this.#journal.end();
    }
  }

  async #playWith(
    keymap: Keymap,
    presses: Presses,
    commands: readonly InputCommand[],
    signal: AbortSignal,
  ): Promise<InputResult> {
    const bindings = new Bindings(this.#connection, keymap, this.#journal);
    const playing = new Playing({
      connection: this.#connection,
      xtest: this.#xtest,
      barrier: this.#barrier,
      presses,
      keymap,
      bindings,
    });
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
    await this.#barrier.wait(new AbortController().signal);
    await bindings.giveBack();
  }
}

/** Holds keys or buttons for a while, be it for a moment. */
export function pressesSomething({ kind }: InputCommand): boolean {
  return kind === 'button' || kind === 'key' || kind === 'type';
}

/** Does something that others can see. */
export function actsOn({ kind }: InputCommand): boolean {
  return kind !== 'locate' && kind !== 'sleep' && kind !== 'flush';
}
