import * as z from 'zod';
import { clip } from '../text/index.ts';
import { BrowserPage, type PageScripts } from './browser-page.ts';
import type { CdpConnection } from './cdp-connection.ts';

const attached = z.object({
  sessionId: z.string(),
  targetInfo: z.object({ targetId: z.string(), type: z.string(), url: z.string() }),
});
const detached = z.object({ sessionId: z.string() });
const changed = z.object({ targetInfo: z.object({ targetId: z.string(), url: z.string() }) });

const opening = z
  .object({
    type: z.enum(['alert', 'confirm', 'prompt', 'beforeunload']),
    message: z.string(),
    defaultPrompt: z.string().optional(),
  })
  .transform(({ type, message, defaultPrompt }) => ({
    type,
    message: clip(message, 2000),
    defaultText: clip(defaultPrompt ?? '', 2000),
  }));

/**
 * The browser behind a debugging connection, and its page, which it follows through navigations. There is one page, as
 * there is one window on the screen: any other (a new window of the IDE, a link that opens one) is closed at once.
 */
export class Browser implements AsyncDisposable {
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  /** Resolves with why, when the renderer of a page dies. */
  readonly crashed: Promise<string>;
  readonly #connection: CdpConnection;
  readonly #scripts: PageScripts;
  readonly #pages = new Map<string, BrowserPage>();
  #onExtraClosed: (() => void) | undefined;

  private constructor(connection: CdpConnection, scripts: PageScripts) {
    this.#connection = connection;
    this.#scripts = scripts;
    this.closed = connection.closed;
    this.crashed = new Promise((resolve) => {
      connection.onEvent(({ method, params, session }) => {
        if (method === 'Target.targetCrashed') resolve('the renderer of a page died');
        else this.#onEvent(method, params, session);
      });
    });
  }

  /** Resolves when the browser answers and will report its pages. */
  static async connect(
    connection: CdpConnection,
    scripts: PageScripts,
    signal: AbortSignal,
  ): Promise<Browser> {
    const browser = new Browser(connection, scripts);
    await browser.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] }, signal);
    const attach = {
      autoAttach: true,
      flatten: true,
      waitForDebuggerOnStart: false,
      filter: [{ type: 'page' }],
    };
    await browser.send('Target.setAutoAttach', attach, signal);
    return browser;
  }

  /** Sets the function to call after an extra page was closed, since the keyboard focus may have gone with it. */
  whenExtraClosed(listener: () => void): void {
    this.#onExtraClosed = listener;
  }

  /** In the order in which they were opened. */
  get pages(): readonly BrowserPage[] {
    return [...this.#pages.values()];
  }

  send(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#connection.send(method, params, undefined, signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection[Symbol.asyncDispose]();
  }

  #onEvent(method: string, params: unknown, session: string | undefined): void {
    const page = this.pages.find((one) => one.owns(session));
    if (method === 'Page.javascriptDialogOpening') page?.onDialog(opening.parse(params));
    if (method === 'Page.javascriptDialogClosed') page?.onDialog(undefined);
    if (method === 'Target.attachedToTarget') this.#onAttached(attached.parse(params), session);
    else if (method === 'Target.detachedFromTarget') this.#onDetached(detached.parse(params).sessionId);
    else if (method === 'Target.targetInfoChanged') this.#onChanged(changed.parse(params).targetInfo);
  }

  #onDetached(session: string): void {
    this.#pages.delete(session);
    for (const page of this.#pages.values()) page.removeSession(session);
  }

  #onAttached({ sessionId, targetInfo }: z.output<typeof attached>, session: string | undefined): void {
    const { targetId: target, type, url } = targetInfo;
    if (type === 'iframe') {
      const owner = this.pages.find((page) => page.owns(session));
      // The frame may be gone before it was prepared: nothing is left to do then.
      void owner?.addFrame(target, sessionId, AbortSignal.timeout(120_000)).catch(() => undefined);
      return;
    }
    if (this.#pages.size > 0) {
      void this.#closeExtra(target);
      return;
    }
    const page = new BrowserPage(this.#connection, {
      session: sessionId,
      target,
      url,
      scripts: this.#scripts,
    });
    this.#pages.set(sessionId, page);
    // The page may be gone before it was prepared: nothing is left to do then.
    void page.prepare(AbortSignal.timeout(120_000)).catch(() => undefined);
  }

  async #closeExtra(targetId: string): Promise<void> {
    // It may have closed by itself meanwhile.
    const signal = AbortSignal.timeout(5000);
    await this.send('Target.closeTarget', { targetId }, signal).catch(() => undefined);
    await this.pages[0]?.send('Page.bringToFront', {}, signal).catch(() => undefined);
    this.#onExtraClosed?.();
  }

  #onChanged({ targetId, url }: { targetId: string; url: string }): void {
    for (const page of this.#pages.values()) if (page.target === targetId) page.url = url;
  }
}
