import type { XTest } from 'x11';
import { pause } from '../../../bridge/lib/index.ts';
import { clicksTogether, type InputCommand, type InputResult } from '../input-commands.ts';
import type { KeycodeBindings } from './batch-journal.ts';
import type { InputBarrier } from './input-barrier.ts';
import {
  type InputInjector,
  type Keymap,
  type MappedKey,
  releaseAllInput,
  withoutCapsLock,
} from './keyboard.ts';
import { findKeyByName, planTyping } from './keysyms.ts';
import type { XConnection } from './x-connection.ts';

type CommandOfKind<K extends InputCommand['kind']> = Extract<InputCommand, { readonly kind: K }>;

/** VS Code digests 200 to 400 characters a second: faster typing only moves the wait into the IDE. */
const typingChunk = { characters: 40, pauseMs: 130 };

/** The parts that play a batch. */
interface BatchParts {
  readonly connection: XConnection;
  readonly xtest: XTest;
  readonly barrier: InputBarrier;
  readonly presses: InputInjector;
  readonly keymap: Keymap;
  readonly bindings: KeycodeBindings;
}

/** One batch while it is played. */
export class RunningBatch {
  readonly #connection: XConnection;
  readonly #xtest: XTest;
  readonly #presses: InputInjector;
  readonly #keymap: Keymap;
  readonly #bindings: KeycodeBindings;
  readonly #barrier: InputBarrier;
  /** Characters typed since the last rest. */
  #unread = 0;
  readonly #locations: { readonly x: number; readonly y: number }[] = [];

  constructor({ connection, xtest, barrier, presses, keymap, bindings }: BatchParts) {
    this.#connection = connection;
    this.#xtest = xtest;
    this.#presses = presses;
    this.#keymap = keymap;
    this.#bindings = bindings;
    this.#barrier = barrier;
  }

  async run(commands: readonly InputCommand[], signal: AbortSignal): Promise<InputResult> {
    for (const [index, command] of commands.entries()) {
      signal.throwIfAborted();
      const message = await this.#cleared(command, signal);
      // The reply comes when the server has carried out all of it: the next command may rely on that.
      await this.#connection.sync();
      if (message !== undefined) return this.#result(index, { index, message });
    }
    return this.#result(commands.length, undefined);
  }

  #result(executed: number, failure: InputResult['failure']): InputResult {
    return { executed, failure, locations: this.#locations };
  }

  async #cleared(command: InputCommand, signal: AbortSignal): Promise<string | undefined> {
    const clear = 'clearModifiers' in command && command.clearModifiers === true;
    const held = clear ? this.#presses.heldOf(this.#keymap.modifierKeycodes) : [];
    for (const keycode of held) this.#presses.key(keycode, false);
    const message = await this.#play(command, signal);
    for (const keycode of held) this.#presses.key(keycode, true);
    return message;
  }

  /** Plays one command. Returns the reason if it can't be played. */
  async #play(command: InputCommand, signal: AbortSignal): Promise<string | undefined> {
    switch (command.kind) {
      case 'move':
        return this.#move(command);
      case 'button':
        return this.#button(command, signal);
      case 'key':
        return this.#key(command, signal);
      case 'type':
        return this.#type(command, signal);
      case 'locate':
        this.#locations.push(await this.#pointer());
        return undefined;
      case 'sleep':
        await this.#connection.sync();
        await pause(command.ms, signal);
        return undefined;
      case 'release':
        this.#presses.forget();
        await releaseAllInput(this.#connection, this.#xtest);
        return undefined;
      case 'flush':
        await this.#barrier.wait(signal);
        return undefined;
    }
  }

  async #move({ x, y, relative }: CommandOfKind<'move'>): Promise<undefined> {
    const from = relative ? await this.#pointer() : { x: 0, y: 0 };
    const { width, height } = this.#connection.size;
    this.#presses.move(clampToScreen(from.x + x, width), clampToScreen(from.y + y, height));
  }

  async #button(command: CommandOfKind<'button'>, signal: AbortSignal): Promise<undefined> {
    const { button, action, repeat, delayMs } = command;
    // On a busy machine this process may wake too late for the second press of a double click: the server keeps the time.
    const together = clicksTogether(command) > 1;
    for (let i = 0; i < repeat; i += 1) {
      if (action !== 'up') this.#presses.button(button, true, together && i > 0 ? delayMs : 0);
      if (action !== 'down') this.#presses.button(button, false);
      if (delayMs > 0 && !(together && i < repeat - 1)) await this.#rest(delayMs, signal);
    }
  }

  async #key(
    { keys, action, delayMs }: CommandOfKind<'key'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const resolved = await this.#resolve(keys, signal);
    if (typeof resolved === 'string') return resolved;
    if (action === 'press') this.#presses.stroke(resolved);
    else this.#hold(resolved, action === 'down');
    if (delayMs > 0) await this.#rest(delayMs, signal);
    return undefined;
  }

  #hold(keys: readonly MappedKey[], down: boolean): void {
    const codes = keys.flatMap(({ keycode, modifiers }) => [...modifiers, keycode]);
    for (const code of down ? codes : codes.reverse()) this.#presses.key(code, down);
  }

  /** Keys by name; those that the keyboard lacks get a spare keycode. */
  async #resolve(words: readonly string[], signal: AbortSignal): Promise<MappedKey[] | string> {
    const names = words.map((word) => findKeyByName(word));
    await this.#bind(
      names.flatMap((name) => (name !== undefined && 'keysym' in name ? [name.keysym] : [])),
      signal,
    );
    const keys: MappedKey[] = [];
    for (const [i, name] of names.entries()) {
      const key = name === undefined ? undefined : this.#keyOf(name);
      if (key === undefined) return `this keyboard has no key for '${words[i] ?? ''}'`;
      keys.push(key);
    }
    return keys;
  }

  #keyOf(name: { readonly keysym: number } | { readonly keycode: number }): MappedKey | undefined {
    return 'keycode' in name ? { keycode: name.keycode, modifiers: [] } : this.#bindings.find(name.keysym);
  }

  /** A text has its own capitals: Caps Lock, which may be on for keys, would swap them. */
  async #type({ text, delayMs }: CommandOfKind<'type'>, signal: AbortSignal): Promise<string | undefined> {
    using unlocked = await withoutCapsLock(this.#connection, this.#xtest);
    void unlocked;
    const batches = planTyping(text, this.#keymap);
    for (const [i, batch] of batches.entries()) {
      await this.#bind(batch.bind, signal);
      const message = await this.#strokes(batch.keysyms, delayMs, signal);
      if (message !== undefined) return message;
      if (i < batches.length - 1) await this.#connection.sync();
    }
    return undefined;
  }

  async #strokes(
    keysyms: readonly number[],
    delayMs: number,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (const keysym of keysyms) {
      const key = this.#bindings.find(keysym);
      if (key === undefined) return `no spare keycode is left for keysym 0x${keysym.toString(16)}`;
      // Before, not after: the last characters of a text are not waited for here, settling does that.
      if (this.#unread === typingChunk.characters) await this.#rest(typingChunk.pauseMs, signal);
      this.#presses.stroke([key]);
      this.#unread += 1;
      if (delayMs > 0) await this.#rest(delayMs, signal);
    }
    return undefined;
  }

  async #bind(keysyms: readonly number[], signal: AbortSignal): Promise<void> {
    const changed = await this.#bindings.bind(keysyms);
    if (changed) await this.#barrier.wait(signal);
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    this.#unread = 0;
    await this.#connection.sync();
    await pause(ms, signal);
  }

  async #pointer(): Promise<{ x: number; y: number }> {
    const { client, root } = this.#connection;
    const at = await this.#connection.ask<{ readonly rootX: number; readonly rootY: number }>(
      'the pointer',
      (answer) => client.QueryPointer(root, answer),
    );
    return { x: at.rootX, y: at.rootY };
  }
}

function clampToScreen(value: number, size: number): number {
  return Math.min(Math.max(value, 0), size - 1);
}
