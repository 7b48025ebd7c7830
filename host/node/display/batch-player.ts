import type { XTest } from 'x11';
import { poll, SerialQueue } from '../../../bridge/lib/index.ts';
import type { InputCommand, InputResult } from '../input-commands.ts';
import { BatchJournal, KeycodeBindings } from './batch-journal.ts';
import { InputBarrier } from './input-barrier.ts';
import { InputInjector, type Keymap, XKeyboard } from './keyboard.ts';
import { findKeyByName, findUntypable, suggestKeyName } from './keysyms.ts';
import { RunningBatch } from './running-batch.ts';
import type { XConnection } from './x-connection.ts';

/** Plays batches of input commands on one X server, one batch at a time. */
export class BatchPlayer {
  readonly #connection: XConnection;
  readonly #xtest: XTest;
  readonly #barrier: InputBarrier;
  readonly #keyboard: XKeyboard;
  readonly #journal: BatchJournal;
  readonly #batches = new SerialQueue();

  private constructor(connection: XConnection, xtest: XTest, barrier: InputBarrier, journal: BatchJournal) {
    this.#connection = connection;
    this.#journal = journal;
    this.#xtest = xtest;
    this.#barrier = barrier;
    this.#keyboard = new XKeyboard(connection);
  }

  static async on(connection: XConnection): Promise<BatchPlayer> {
    const xtest = await connection.extension('xtest');
    return new BatchPlayer(
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
  play(commands: readonly InputCommand[], signal: AbortSignal, leave?: PlayPermission): Promise<InputResult> {
    return this.#batches.run(() => this.#play(commands, signal, leave));
  }

  /** Whether another connection is in the middle of a batch that presses something. */
  othersPlay(): Promise<boolean> {
    return this.#journal.hasOthers();
  }

  async #play(
    commands: readonly InputCommand[],
    signal: AbortSignal,
    leave: PlayPermission | undefined,
  ): Promise<InputResult> {
    signal.throwIfAborted();
    const reasons = commands.map((command) => explainUnplayable(command, this.#connection.size));
    const index = reasons.findIndex((reason) => reason !== undefined);
    const message = reasons[index];
    if (message !== undefined) return { executed: 0, failure: { index, message }, locations: [] };
    // Before leave is asked for: the one who withdraws it looks for the note afterwards, so one of the two sees the other.
    if (commands.some(isPressingCommand)) this.#journal.note([]);
    try {
      const [keymap, down] = await Promise.all([this.#keyboard.keymap(), this.#keyboard.down()]);
      leave?.begin();
      using allowed = watchPermission(leave, signal);
      return await this.#playWith(
        keymap,
        new InputInjector(this.#connection, this.#xtest, down),
        commands,
        allowed.signal,
      );
    } finally {
      this.#journal.end();
    }
  }

  async #playWith(
    keymap: Keymap,
    presses: InputInjector,
    commands: readonly InputCommand[],
    signal: AbortSignal,
  ): Promise<InputResult> {
    const bindings = new KeycodeBindings(this.#connection, keymap, this.#journal);
    const playing = new RunningBatch({
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
  async #giveBack(bindings: KeycodeBindings): Promise<void> {
    if (!bindings.used) return;
    await this.#barrier.wait(new AbortController().signal);
    await bindings.giveBack();
  }
}

/** Holds keys or buttons for a while, be it for a moment. */
export function isPressingCommand({ kind }: InputCommand): boolean {
  return kind === 'button' || kind === 'key' || kind === 'type';
}

/** Does something that others can see. */
export function isVisibleCommand({ kind }: InputCommand): boolean {
  return kind !== 'locate' && kind !== 'sleep' && kind !== 'flush';
}

/** Whether a batch may be played: others may have a say in it, too. */
export interface PlayPermission {
  /** Asked when every other connection can see that the batch is under way. Throws where the batch may not begin. */
  begin(): void;
  /** Asked again and again while the batch is played. Throws where the batch has to stop midway. */
  goOn(): void;
}

/** Pause between two checks whether a batch may go on, in milliseconds. */
const permissionCheckMs = 200;

/** A signal that fires with the caller's, or when a batch may not go on. Dispose it when the batch has ended. */
function watchPermission(
  leave: PlayPermission | undefined,
  signal: AbortSignal,
): Disposable & { readonly signal: AbortSignal } {
  if (!leave) return { signal, [Symbol.dispose]: () => undefined };
  const [ended, withdrawn] = [new AbortController(), new AbortController()];
  const ask = () => {
    try {
      leave.goOn();
      return { done: false, saw: 'leave' } as const;
    } catch (reason) {
      withdrawn.abort(reason);
      return { done: true, value: undefined } as const;
    }
  };
  const asking = poll('the end of leave to play', ask, {
    intervalMs: permissionCheckMs,
    signal: ended.signal,
  });
  asking.catch(() => undefined);
  return {
    signal: AbortSignal.any([signal, withdrawn.signal]),
    [Symbol.dispose]: () => ended.abort(),
  };
}

interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

/** Why a command can't be played on a screen of this size; undefined when it can. Names the word. */
export function explainUnplayable(command: InputCommand, size: ScreenSize): string | undefined {
  switch (command.kind) {
    case 'move':
      return command.relative ? undefined : explainOffScreen(command.x, command.y, size);
    case 'button':
      return command.button >= 1 && command.button <= 9
        ? undefined
        : `no mouse button ${command.button}: 1 to 9`;
    case 'key':
      return explainUnknownKey(command.keys);
    case 'type':
      return explainUnknownCharacter(command.text);
    case 'locate':
    case 'sleep':
    case 'release':
    case 'flush':
      return undefined;
  }
}

function explainOffScreen(x: number, y: number, { width, height }: ScreenSize): string | undefined {
  const inside = x >= 0 && y >= 0 && x < width && y < height;
  return inside ? undefined : `(${x}, ${y}) is off the screen: x 0 to ${width - 1}, y 0 to ${height - 1}`;
}

function explainUnknownKey(keys: readonly string[]): string | undefined {
  const unknown = keys.find((word) => findKeyByName(word) === undefined);
  if (unknown === undefined) return undefined;
  const similar = suggestKeyName(unknown);
  const hint =
    similar === undefined ? 'X keysym names such as Return, Page_Up, F5, period' : `perhaps ${similar}`;
  return `unknown key '${unknown}': ${hint}`;
}

function explainUnknownCharacter(text: string): string | undefined {
  const unknown = findUntypable(text);
  if (unknown === undefined) return undefined;
  const { character, position } = unknown;
  const code = character.codePointAt(0) ?? 0;
  const kind = code >= 0xd800 && code <= 0xdfff ? ': half of a surrogate pair' : '';
  return (
    `no key types the character U+${code.toString(16).toUpperCase().padStart(4, '0')} ` +
    `at position ${position} of the text${kind}; nothing was typed`
  );
}
