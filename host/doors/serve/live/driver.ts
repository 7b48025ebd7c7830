import * as z from 'zod';
import { describeError, pause, PwpError } from '../../../../bridge/lib/index.ts';
import { dom } from '../../../../bridge/protocol/index.ts';
import type { Control } from '../../../ide/index.ts';
import type { InputCommand, Sandbox } from '../../../node/index.ts';
import type { InputMessage } from '../../web/index.ts';
import { InputTranslator, type PlainInput } from './input-commands.ts';

/** The maximum number of messages that wait to be played; a person is never this far ahead. */
const mostWaitingInputs = 2000;

interface InputPlayerEvents {
  readonly onCopied: (text: string) => void;
  /** Reports input that was not played, in words. */
  readonly onNotice: (text: string) => void;
}

/** Plays the input of a person in control, in order. */
export class InputPlayer {
  readonly #control: Control;
  readonly #commands: InputTranslator;
  readonly #clipboard: SandboxClipboard;
  readonly #events: InputPlayerEvents;
  readonly #over = new AbortController();
  #waiting: InputMessage[] = [];
  #playing: Promise<void> | undefined;
  /** Records that something was typed, but not what. */
  isPrivate = false;

  constructor(sandbox: Sandbox, control: Control, events: InputPlayerEvents) {
    this.#control = control;
    this.#commands = new InputTranslator(sandbox.display);
    this.#clipboard = new SandboxClipboard(sandbox);
    this.#events = events;
  }

  play(message: InputMessage): void {
    if (this.#over.signal.aborted) return;
    // Of waiting moves, only the last one counts.
    if (message.type === 'move' && this.#waiting.at(-1)?.type === 'move') this.#waiting.pop();
    if (this.#waiting.length >= mostWaitingInputs) {
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
        if (!this.#over.signal.aborted) this.#events.onNotice(`Not played: ${describeError(error)}.`);
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

/** The maximum length that is read from a clipboard inside, in UTF-16 code units. */
const longestClipboard = 1_000_000;
/** The number of looks for the copied text, and the milliseconds between them. */
const clipboardLooks = 10;
const clipboardLookMs = 50;

const evaluationResult = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.unknown().optional(),
});
const clipboardContent = z.object({
  text: z.string().max(longestClipboard),
  /** Of the whole text, including the part that was not read. */
  length: z.int().nonnegative(),
  isTerminal: z.boolean(),
});

/** The copied text, or only its length if it is too long to be carried over. */
type CopiedText = { readonly text: string } | { readonly tooLong: number };

/** The clipboard of an IDE, as its page reports it, which the agent could forge. */
class SandboxClipboard {
  readonly #sandbox: Sandbox;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Errors: `clipboard-failed`. */
  async write(text: string, signal: AbortSignal): Promise<void> {
    await this.#evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`, signal);
  }

  /**
   * Runs `copy` and returns the copied text; null if nothing was copied: in a terminal the same keys stop a program.
   * Errors: `clipboard-failed`.
   */
  async copied(copy: () => Promise<void>, signal: AbortSignal): Promise<CopiedText | null> {
    const before = await this.#read(signal);
    await copy();
    for (let look = 1; ; look += 1) {
      await pause(clipboardLookMs, signal);
      const { text, length, isTerminal } = await this.#read(signal);
      const isNew = text !== before.text || length !== before.length;
      // The same text may have been copied again.
      const isAgain = look === clipboardLooks && !isTerminal && length > 0;
      if (isNew || isAgain) return length > text.length ? { tooLong: length } : { text };
      if (look === clipboardLooks) return null;
    }
  }

  async #read(signal: AbortSignal): Promise<z.output<typeof clipboardContent>> {
    const expression = `navigator.clipboard.readText().then((text) => ({
      text: text.slice(0, ${longestClipboard}),
      length: text.length,
      isTerminal: document.activeElement?.classList.contains('xterm-helper-textarea') === true,
    }))`;
    return clipboardContent.parse(await this.#evaluate(expression, signal));
  }

  async #evaluate(expression: string, signal: AbortSignal): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const command = { method: 'Runtime.evaluate', params };
    try {
      const { result } = await this.#sandbox.call(dom.command, command, { signal });
      const { result: answer, exceptionDetails } = evaluationResult.parse(result);
      if (exceptionDetails === undefined) return answer.value;
      throw new Error('the page refused it');
    } catch (cause) {
      signal.throwIfAborted();
      throw new PwpError('clipboard-failed', "the sandbox's clipboard can't be used now", { cause });
    }
  }
}
