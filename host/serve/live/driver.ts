import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import type { Control } from '../../env/index.ts';
import type { InputCommand, Sandbox } from '../../node/index.ts';
import type { InputMessage } from '../page/index.ts';
import { Clipboard } from './clipboard.ts';
import { Commands, type PlainInput } from './commands.ts';

/** The maximum number of messages that wait to be played; a person is never this far ahead. */
const mostWaiting = 2000;

export interface DriverEvents {
  readonly onCopied: (text: string) => void;
  /** Reports input that was not played, in words. */
  readonly onNotice: (text: string) => void;
}

/** Plays the input of a person in control, in order. */
export class Driver {
  readonly #control: Control;
  readonly #commands: Commands;
  readonly #clipboard: Clipboard;
  readonly #events: DriverEvents;
  readonly #over = new AbortController();
  #waiting: InputMessage[] = [];
  #playing: Promise<void> | undefined;
  /** Records that something was typed, but not what. */
  isPrivate = false;

  constructor(sandbox: Sandbox, control: Control, events: DriverEvents) {
    this.#control = control;
    this.#commands = new Commands(sandbox.display);
    this.#clipboard = new Clipboard(sandbox);
    this.#events = events;
  }

  play(message: InputMessage): void {
    if (this.#over.signal.aborted) return;
    // Of waiting moves, only the last one counts.
    if (message.type === 'move' && this.#waiting.at(-1)?.type === 'move') this.#waiting.pop();
    if (this.#waiting.length >= mostWaiting) {
      this.#waiting = [{ type: 'release' }];
      this.#events.onNotice('The sandbox is too slow for your input: the waiting part was dropped.');
    }
    this.#waiting.push(message);
    this.#playing ??= this.#playAll();
  }

  /** Stops playing. Resolves when the input under way is done. */
  async end(): Promise<void> {
    this.#over.abort(new PwpError('cancelled', 'control has ended'));
    await this.#playing;
  }

  /** Never rejects. */
  async #playAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#over.signal.aborted) {
      try {
        await this.#playNext();
      } catch (error) {
        this.#waiting = [];
        if (!this.#over.signal.aborted) this.#events.onNotice(`Not played: ${messageOf(error)}.`);
      }
    }
    this.#playing = undefined;
  }

  async #playNext(): Promise<void> {
    const [first] = this.#waiting;
    if (!first) return;
    if (first.type === 'paste' || first.type === 'copy') {
      this.#waiting.shift();
      return first.type === 'paste' ? this.#paste(first) : this.#copy(first);
    }
    const end = this.#waiting.findIndex(({ type }) => type === 'paste' || type === 'copy');
    const plain = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end).filter(isPlain);
    await this.#input(plain.flatMap((message) => this.#commands.of(message)));
  }

  async #paste({ text, shift }: Extract<InputMessage, { readonly type: 'paste' }>): Promise<void> {
    await this.#clipboard.write(text, this.#over.signal);
    await this.#shortcut('v', shift);
  }

  async #copy({ cut, shift }: Extract<InputMessage, { readonly type: 'copy' }>): Promise<void> {
    const copy = () => this.#shortcut(cut ? 'x' : 'c', shift);
    const copied = await this.#clipboard.copied(copy, this.#over.signal);
    if (!copied) return;
    if ('text' in copied) this.#events.onCopied(copied.text);
    else
      this.#events.onNotice(`Copied only in the IDE: ${copied.tooLong} characters don't fit your clipboard.`);
  }

  #shortcut(name: string, shift: boolean): Promise<void> {
    return this.#input(this.#commands.shortcut(shift ? ['ctrl', 'shift'] : ['ctrl'], name));
  }

  async #input(commands: readonly InputCommand[]): Promise<void> {
    if (commands.length === 0) return;
    const { signal } = this.#over;
    const { failure } = await this.#control.input(commands, { private: this.isPrivate, signal });
    if (failure) this.#events.onNotice(`Not played: ${failure.message}.`);
  }
}

function isPlain(message: InputMessage): message is PlainInput {
  return message.type !== 'paste' && message.type !== 'copy';
}
