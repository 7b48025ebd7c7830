import * as z from 'zod';
import { PwpError, raceSignal } from '../lib/index.ts';
import type { Dialog } from '../protocol/index.ts';
import type { CdpConnection } from './connection.ts';

/** The world that the in-page script lives in, apart from the page's own scripts. */
const WORLD = 'pwp';

/** There is one window. VS Code takes this for a blocked pop-up and says so where it matters. */
const NO_OTHER_WINDOWS = 'window.open = () => null;';

const world = z.object({ executionContextId: z.int() });
const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});

/** One page of the browser, with the script that reads it. */
export class Page {
  readonly target: string;
  url: string;
  readonly #session: string;
  readonly #connection: CdpConnection;
  readonly #script: string;
  #context: number | undefined;
  #dialog: Dialog | undefined;
  /** Ends what waits for a page that a dialog holds up. */
  #held = new AbortController();

  constructor(
    connection: CdpConnection,
    options: { session: string; target: string; url: string; script: string },
  ) {
    this.#connection = connection;
    this.#session = options.session;
    this.target = options.target;
    this.url = options.url;
    this.#script = options.script;
  }

  /** Makes every document of this page begin with the script, so that it is still from its first frame on. */
  async prepare(signal: AbortSignal): Promise<void> {
    // Without it dialogs are not told of.
    await this.send('Page.enable', {}, signal);
    const script = { source: this.#script, worldName: WORLD, runImmediately: true };
    await this.send('Page.addScriptToEvaluateOnNewDocument', script, signal);
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source: NO_OTHER_WINDOWS }, signal);
  }

  /**
   * Calls a function of the in-page script and checks its answer.
   * @param call an expression on `pwpPage`, built from data that was validated and written as JSON
   */
  async call<T extends z.ZodType>(call: string, answer: T, signal: AbortSignal): Promise<z.output<T>> {
    this.#held.signal.throwIfAborted();
    const value = await raceSignal(this.#evaluate(`pwpPage.${call}`, signal), this.#held.signal);
    const checked = answer.safeParse(value);
    if (checked.success) return checked.data;
    throw new PwpError(
      'bad-page',
      `the page answered nonsense: ${z.prettifyError(checked.error).slice(0, 500)}`,
    );
  }

  /** The browser's dialog that holds up this page; every call fails with `dialog-open` until it is answered. */
  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  /** Told by the browser. */
  onDialog(dialog: Dialog | undefined): void {
    this.#dialog = dialog;
    if (!dialog) this.#held = new AbortController();
    else this.#held.abort(new PwpError('dialog-open', `a dialog is in front: ${dialog.message}`));
  }

  async answer(accept: boolean, text: string | undefined, signal: AbortSignal): Promise<void> {
    const promptText = text === undefined ? {} : { promptText: text };
    await this.send('Page.handleJavaScriptDialog', { accept, ...promptText }, signal);
    // The event that says so may come after what is asked next.
    this.onDialog(undefined);
  }

  send(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#connection.send(method, params, this.#session, signal);
  }

  /** A navigation ends the world that was known: then the evaluation is tried once more in the new one. */
  async #evaluate(expression: string, signal: AbortSignal): Promise<unknown> {
    const known = this.#context;
    try {
      return await this.#evaluateIn(known ?? (await this.#enter(signal)), expression, signal);
    } catch (error) {
      if (known === undefined || !(error instanceof PwpError) || error.code !== 'cdp-error') throw error;
      return this.#evaluateIn(await this.#enter(signal), expression, signal);
    }
  }

  async #enter(signal: AbortSignal): Promise<number> {
    const answer = await this.send(
      'Page.createIsolatedWorld',
      { frameId: this.target, worldName: WORLD },
      signal,
    );
    const context = world.parse(answer).executionContextId;
    await this.#evaluateIn(context, this.#script, signal);
    // A document that was on its way when the scripts were registered has begun without them.
    await this.send('Runtime.evaluate', { expression: NO_OTHER_WINDOWS }, signal);
    this.#context = context;
    return context;
  }

  async #evaluateIn(contextId: number, expression: string, signal: AbortSignal): Promise<unknown> {
    const answer = await this.send(
      'Runtime.evaluate',
      { expression, contextId, returnByValue: true, awaitPromise: true },
      signal,
    );
    const { result, exceptionDetails } = evaluated.parse(answer);
    if (exceptionDetails) {
      const what = exceptionDetails.exception?.description ?? exceptionDetails.text;
      throw new PwpError('page-script', `the in-page script failed: ${what.slice(0, 500)}`);
    }
    return result.value;
  }
}
