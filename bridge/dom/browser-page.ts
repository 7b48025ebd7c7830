import * as z from 'zod';
import { PwpError, raceSignal } from '../lib/index.ts';
import type { Dialog } from '../protocol/index.ts';
import { clip } from '../text/index.ts';
import type { CdpConnection } from './cdp-connection.ts';

/** The scripts that run in the page, as text. */
export interface PageScripts {
  /** Reads it, in a world of its own. */
  readonly reader: string;
  /** In the world of the page's own scripts, before them. */
  readonly main: string;
}

/** Frames whose documents are remembered: more than are shown at one time. */
const MAX_WORLDS = 64;

/** One page of the browser: its own document, and those of its frames that have to be asked themselves. */
export class BrowserPage {
  readonly target: string;
  readonly session: string;
  readonly world: DocumentWorld;
  url: string;
  readonly #connection: CdpConnection;
  readonly #scripts: PageScripts;
  #dialog: Dialog | undefined;
  /** Aborts the calls that wait for a page while a dialog blocks it. */
  #held = new AbortController();
  /** By frame: sessions of frames that live in a process of their own. */
  readonly #sessions = new Map<string, string>();
  readonly #worlds = new Map<string, DocumentWorld>();

  constructor(
    connection: CdpConnection,
    options: { session: string; target: string; url: string; scripts: PageScripts },
  ) {
    const { session, target: frameId, scripts } = options;
    this.#connection = connection;
    this.#scripts = scripts;
    this.session = session;
    this.target = frameId;
    this.url = options.url;
    // A document that was on its way when the scripts were registered has begun without them.
    const prepare = (signal: AbortSignal) =>
      this.send('Runtime.evaluate', { expression: scripts.main }, signal);
    this.world = new DocumentWorld(connection, { session, frameId, script: scripts.reader, prepare });
  }

  /** Runs the scripts first in every document of this page, so that nothing moves in it from its first frame on. */
  prepare(signal: AbortSignal): Promise<void> {
    return this.#prepareSession(this.session, signal);
  }

  /** As {@link DocumentWorld.call}, of the page's own document. */
  async call<T extends z.ZodType>(call: string, answer: T, signal: AbortSignal): Promise<z.output<T>> {
    return this.unlessHeld(() => this.world.call(call, answer, signal));
  }

  /** Runs a piece of reading. Errors: `dialog-open` if a dialog is in front, or opens meanwhile. */
  async unlessHeld<T>(read: () => Promise<T>): Promise<T> {
    this.#held.signal.throwIfAborted();
    return raceSignal(read(), this.#held.signal);
  }

  /** The browser's dialog that blocks this page; every call fails with `dialog-open` until it is answered. */
  get dialog(): Dialog | undefined {
    return this.#dialog;
  }

  /** Reported by the browser. */
  onDialog(dialog: Dialog | undefined): void {
    this.#dialog = dialog;
    if (!dialog) this.#held = new AbortController();
    else this.#held.abort(new PwpError('dialog-open', `a dialog is in front: ${dialog.message}`));
  }

  async answer(accept: boolean, text: string | undefined, signal: AbortSignal): Promise<void> {
    const promptText = text === undefined ? {} : { promptText: text };
    await this.send('Page.handleJavaScriptDialog', { accept, ...promptText }, signal);
    // The browser's event may come after the next call.
    this.onDialog(undefined);
  }

  send(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#connection.send(method, params, this.session, signal);
  }

  /** Whether this page, or a frame of it, speaks in that session. */
  owns(session: string | undefined): boolean {
    return session === this.session || [...this.#sessions.values()].includes(session ?? '');
  }

  /** A frame has got a process of its own. */
  async addFrame(frameId: string, session: string, signal: AbortSignal): Promise<void> {
    this.#sessions.set(frameId, session);
    await this.#prepareSession(session, signal);
  }

  removeSession(session: string): void {
    for (const [frameId, own] of this.#sessions) if (own === session) this.#sessions.delete(frameId);
  }

  /** The document in a frame of another origin; undefined when the frame is gone. */
  async worldIn(parent: DocumentWorld, key: number, signal: AbortSignal): Promise<DocumentWorld | undefined> {
    const frameId = await parent.frameIdOf(key, signal);
    if (frameId === undefined) return undefined;
    const session = this.#sessions.get(frameId) ?? parent.session;
    const known = this.#worlds.get(frameId);
    if (known?.session === session) return known;
    if (this.#worlds.size >= MAX_WORLDS) this.#worlds.clear();
    const world = new DocumentWorld(this.#connection, { session, frameId, script: this.#scripts.reader });
    this.#worlds.set(frameId, world);
    return world;
  }

  async #prepareSession(session: string, signal: AbortSignal): Promise<void> {
    const send = (method: string, params: object) => this.#connection.send(method, params, session, signal);
    const attach = { autoAttach: true, flatten: true, waitForDebuggerOnStart: false };
    // Without it dialogs are not reported.
    await send('Page.enable', {});
    await send('Target.setAutoAttach', { ...attach, filter: [{ type: 'iframe' }] });
    const script = { source: this.#scripts.reader, worldName: WORLD, runImmediately: true };
    await send('Page.addScriptToEvaluateOnNewDocument', script);
    await send('Page.addScriptToEvaluateOnNewDocument', { source: this.#scripts.main });
  }
}

/** The world that the in-page script lives in, apart from the page's own scripts. */
const WORLD = 'pwp';

const createdWorld = z.object({ executionContextId: z.int() });
const evaluated = z.object({
  result: z.object({ value: z.unknown().optional(), objectId: z.string().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});
const failureText = z.string();
const described = z.object({ node: z.object({ frameId: z.string().optional() }) });

interface WorldOptions {
  /** Of the debugging protocol: the page's, or that of a frame in a process of its own. */
  readonly session: string;
  readonly frameId: string;
  /** The in-page script, as text. */
  readonly script: string;
  /** Runs in a document when it is entered for the first time. */
  readonly prepare?: (signal: AbortSignal) => Promise<unknown>;
}

/** One document with the script that reads it. */
export class DocumentWorld {
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
    const checked = answer.safeParse(value === undefined ? undefined : JSON.parse(failureText.parse(value)));
    if (checked.success) return checked.data;
    throw new PwpError(
      'protocol-error',
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
    const context = createdWorld.parse(
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
