import type * as z from 'zod';
import { PwpError, raceSignal } from '../lib/index.ts';
import type { Dialog } from '../protocol/index.ts';
import type { CdpConnection } from './connection.ts';
import { WORLD, World } from './world.ts';

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
export class Page {
  readonly target: string;
  readonly session: string;
  readonly world: World;
  url: string;
  readonly #connection: CdpConnection;
  readonly #scripts: PageScripts;
  #dialog: Dialog | undefined;
  /** Aborts the calls that wait for a page while a dialog blocks it. */
  #held = new AbortController();
  /** By frame: sessions of frames that live in a process of their own. */
  readonly #sessions = new Map<string, string>();
  readonly #worlds = new Map<string, World>();

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
    this.world = new World(connection, { session, frameId, script: scripts.reader, prepare });
  }

  /** Runs the scripts first in every document of this page, so that nothing moves in it from its first frame on. */
  prepare(signal: AbortSignal): Promise<void> {
    return this.#prepareSession(this.session, signal);
  }

  /** As {@link World.call}, of the page's own document. */
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
  async worldIn(parent: World, key: number, signal: AbortSignal): Promise<World | undefined> {
    const frameId = await parent.frameIdOf(key, signal);
    if (frameId === undefined) return undefined;
    const session = this.#sessions.get(frameId) ?? parent.session;
    const known = this.#worlds.get(frameId);
    if (known?.session === session) return known;
    if (this.#worlds.size >= MAX_WORLDS) this.#worlds.clear();
    const world = new World(this.#connection, { session, frameId, script: this.#scripts.reader });
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
