import * as z from 'zod';
import { PwpError, pause } from '../../../bridge/lib/index.ts';
import { dom } from '../../../bridge/protocol/index.ts';
import type { Sandbox } from '../../node/index.ts';

/** The maximum length that is read from a clipboard inside, in UTF-16 code units. */
const longest = 1_000_000;
/** The number of looks for the copied text, and the milliseconds between them. */
const looks = 10;
const lookMs = 50;

const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.unknown().optional(),
});
const content = z.object({
  text: z.string().max(longest),
  /** Of the whole text, including the part that was not read. */
  length: z.int().nonnegative(),
  isTerminal: z.boolean(),
});

/** The copied text, or only its length if it is too long to be carried over. */
export type Copied = { readonly text: string } | { readonly tooLong: number };

/** The clipboard of an IDE, as its page reports it, which the agent could forge. */
export class Clipboard {
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
  async copied(copy: () => Promise<void>, signal: AbortSignal): Promise<Copied | null> {
    const before = await this.#read(signal);
    await copy();
    for (let look = 1; ; look += 1) {
      await pause(lookMs, signal);
      const { text, length, isTerminal } = await this.#read(signal);
      const isNew = text !== before.text || length !== before.length;
      // The same text may have been copied again.
      const isAgain = look === looks && !isTerminal && length > 0;
      if (isNew || isAgain) return length > text.length ? { tooLong: length } : { text };
      if (look === looks) return null;
    }
  }

  async #read(signal: AbortSignal): Promise<z.output<typeof content>> {
    const expression = `navigator.clipboard.readText().then((text) => ({
      text: text.slice(0, ${longest}),
      length: text.length,
      isTerminal: document.activeElement?.classList.contains('xterm-helper-textarea') === true,
    }))`;
    return content.parse(await this.#evaluate(expression, signal));
  }

  async #evaluate(expression: string, signal: AbortSignal): Promise<unknown> {
    const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
    const command = { method: 'Runtime.evaluate', params };
    try {
      const { result } = await this.#sandbox.call(dom.command, command, { signal });
      const { result: answer, exceptionDetails } = evaluated.parse(result);
      if (exceptionDetails === undefined) return answer.value;
      throw new Error('the page refused it');
    } catch (cause) {
      signal.throwIfAborted();
      throw new PwpError('clipboard-failed', "the sandbox's clipboard can't be used now", { cause });
    }
  }
}
