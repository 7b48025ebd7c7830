import * as z from 'zod';
import { PwpError, clip } from '../lib/index.ts';
import type { CdpConnection } from './connection.ts';

/** The world that the in-page script lives in, apart from the page's own scripts. */
export const WORLD = 'pwp';

const world = z.object({ executionContextId: z.int() });
const evaluated = z.object({
  result: z.object({ value: z.unknown().optional(), objectId: z.string().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});
const text = z.string();
const described = z.object({ node: z.object({ frameId: z.string().optional() }) });

export interface WorldOptions {
  /** Of the debugging protocol: the page's, or that of a frame in a process of its own. */
  readonly session: string;
  readonly frameId: string;
  /** The in-page script, as text. */
  readonly script: string;
  /** Runs in a document when it is entered for the first time. */
  readonly prepare?: (signal: AbortSignal) => Promise<unknown>;
}

/** One document with the script that reads it. */
export class World {
  readonly session: string;
  readonly frameId: string;
  readonly #connection: CdpConnection;
  readonly #script: string;
  readonly #prepare: WorldOptions['prepare'];
  #context: number | undefined;
  #unanswered = 0;

  constructor(connection: CdpConnection, { session, frameId, script, prepare }: WorldOptions) {
    this.#connection = connection;
    this.session = session;
    this.frameId = frameId;
    this.#script = script;
    this.#prepare = prepare;
  }

  /** Whether an abandoned call is still unanswered: another one would wait behind it. */
  get stuck(): boolean {
    return this.#unanswered > 0;
  }

  /**
   * Calls a function of the in-page script and checks its answer.
   * @param call an expression on `pwpPage`, built from data that was validated and written as JSON
   */
  async call<T extends z.ZodType>(call: string, answer: T, signal: AbortSignal): Promise<z.output<T>> {
    // As text: copying an answer field by field takes the protocol longer than the page needs to compute it.
    const expression = `Promise.resolve(pwpPage.${call}).then(JSON.stringify)`;
    const params = { expression, returnByValue: true, awaitPromise: true };
    const { value } = await this.#evaluate(params, signal);
    const checked = answer.safeParse(value === undefined ? undefined : JSON.parse(text.parse(value)));
    if (checked.success) return checked.data;
    throw new PwpError(
      'bad-page',
      `the page's answer is invalid: ${clip(z.prettifyError(checked.error), 500)}`,
    );
  }

  /** The protocol's name of the document in a frame of this one; undefined when the frame is gone. */
  async frameIdOf(key: number, signal: AbortSignal): Promise<string | undefined> {
    const objectGroup = 'pwp';
    const { objectId } = await this.#evaluate({ expression: `pwpPage.frame(${key})`, objectGroup }, signal);
    if (objectId === undefined) return undefined;
    const { node } = described.parse(await this.send('DOM.describeNode', { objectId }, signal));
    await this.send('Runtime.releaseObjectGroup', { objectGroup }, signal);
    return node.frameId;
  }

  send(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#connection.send(method, params, this.session, signal, {
      givenUp: () => (this.#unanswered += 1),
      over: () => (this.#unanswered -= 1),
    });
  }

  /** After a navigation ended the known world, the evaluation is tried once more in the new one. */
  async #evaluate(params: object, signal: AbortSignal): Promise<z.output<typeof evaluated>['result']> {
    const known = this.#context;
    try {
      return await this.#evaluateIn(known ?? (await this.#enter(signal)), params, signal);
    } catch (error) {
      if (known === undefined || !(error instanceof PwpError) || error.code !== 'cdp-error') throw error;
      return this.#evaluateIn(await this.#enter(signal), params, signal);
    }
  }

  async #enter(signal: AbortSignal): Promise<number> {
    const params = { frameId: this.frameId, worldName: WORLD };
    const context = world.parse(
      await this.send('Page.createIsolatedWorld', params, signal),
    ).executionContextId;
    await this.#evaluateIn(context, { expression: this.#script, returnByValue: true }, signal);
    await this.#prepare?.(signal);
    this.#context = context;
    return context;
  }

  async #evaluateIn(contextId: number, params: object, signal: AbortSignal) {
    const answer = await this.send('Runtime.evaluate', { ...params, contextId }, signal);
    const { result, exceptionDetails } = evaluated.parse(answer);
    if (exceptionDetails) {
      const what = exceptionDetails.exception?.description ?? exceptionDetails.text;
      throw new PwpError('page-script', `the in-page script failed: ${clip(what, 500)}`);
    }
    return result;
  }
}
