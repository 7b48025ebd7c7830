import * as z from 'zod';
import type { CdpConnection, CdpEvent } from '../../../dom/index.ts';
import { PwpError, raceSignal } from '../../../lib/index.ts';
import type { dataTools, ToolOutput } from '../../../protocol/index.ts';
import { clip } from '../../../text/index.ts';

const createdTarget = z.object({ targetId: z.string() });
const attachedTarget = z.object({ sessionId: z.string() });
const evaluatedScript = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});
const frameEvent = z.object({ frameId: z.string() });

/** One page of a test's browser. */
export class BrowserTab {
  readonly complaints = new PageProblems();
  readonly #connection: CdpConnection;
  readonly #target: string;
  readonly #session: string;
  #size = '';
  #loading = false;
  #onLoaded: () => void = () => undefined;

  private constructor(connection: CdpConnection, target: string, session: string) {
    this.#connection = connection;
    this.#target = target;
    this.#session = session;
    connection.onEvent((event) => this.#onEvent(event));
  }

  static async open(
    connection: CdpConnection,
    size: { width: number; height: number },
    signal: AbortSignal,
  ): Promise<BrowserTab> {
    const send = (method: string, params: object) => connection.send(method, params, undefined, signal);
    const { targetId } = createdTarget.parse(await send('Target.createTarget', { url: 'about:blank' }));
    const { sessionId } = attachedTarget.parse(
      await send('Target.attachToTarget', { targetId, flatten: true }),
    );
    const tab = new BrowserTab(connection, targetId, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log']) await tab.send(`${domain}.enable`, {}, signal);
    await tab.resize(size, signal);
    return tab;
  }

  async resize(size: { width: number; height: number }, signal: AbortSignal): Promise<void> {
    const wanted = `${size.width}x${size.height}`;
    if (wanted === this.#size) return;
    this.#size = wanted;
    const metrics = { ...size, deviceScaleFactor: 1, mobile: false };
    await this.send('Emulation.setDeviceMetricsOverride', metrics, signal);
  }

  send(method: string, params: object, signal: AbortSignal): Promise<unknown> {
    return this.#connection.send(method, params, this.#session, signal);
  }

  /** The value of an expression, or of the promise that it returns. Errors: `page-error` if it throws. */
  async evaluate<T extends z.ZodType>(
    expression: string,
    answer: T,
    signal: AbortSignal,
  ): Promise<z.output<T>> {
    const params = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails: thrown } = evaluatedScript.parse(
      await this.send('Runtime.evaluate', params, signal),
    );
    if (thrown) throw new PwpError('page-error', thrown.exception?.description ?? thrown.text);
    return answer.parse(result.value);
  }

  /** Called before a page may begin to load, e.g. by an action that leads to another page. */
  expectLoading(): void {
    this.#loading = true;
  }

  /** Resolves when no page is being loaded. */
  async loaded(signal: AbortSignal): Promise<void> {
    if (!this.#loading) return;
    await raceSignal(new Promise<void>((resolve) => (this.#onLoaded = resolve)), signal);
  }

  #onEvent({ method, params, session }: CdpEvent): void {
    if (session !== this.#session) return;
    this.complaints.add(method, params);
    if (method === 'Page.javascriptDialogOpening') void this.#accept();
    else if (method === 'Page.loadEventFired') this.#end();
    else if (method.startsWith('Page.frame')) this.#onFrame(method, params);
  }

  /** The main frame has the target's id. */
  #onFrame(method: string, params: unknown): void {
    if (frameEvent.safeParse(params).data?.frameId !== this.#target) return;
    if (/Requested|Scheduled|StartedLoading/.test(method)) this.#loading = true;
    if (/StoppedLoading|Cleared/.test(method)) this.#end();
  }

  #end(): void {
    this.#loading = false;
    this.#onLoaded();
  }

  async #accept(): Promise<void> {
    const signal = AbortSignal.timeout(5000);
    // A dialog that the page itself closed needs no answer.
    await this.send('Page.handleJavaScriptDialog', { accept: true }, signal).catch(() => undefined);
  }
}

type Complaint = ToolOutput<typeof dataTools.browserTest>['errors'][number];

const maxComplaints = { count: 100, text: 2000 };

const consoleEvent = z.object({
  type: z.string(),
  args: z.array(z.object({ value: z.unknown().optional(), description: z.string().optional() })),
});
const exceptionEvent = z.object({
  exceptionDetails: z.object({
    text: z.string(),
    exception: z.object({ description: z.string().optional() }).optional(),
  }),
});
const logEvent = z.object({
  entry: z.object({ source: z.string(), level: z.string(), text: z.string(), url: z.string().optional() }),
});
const dialogEvent = z.object({ type: z.string(), message: z.string() });

/** Errors and warnings of a page during a test. */
class PageProblems {
  #all: Complaint[] = [];
  #omitted = 0;

  /** Those since the previous call. */
  take(): { errors: Complaint[]; omitted: number } {
    const taken = { errors: this.#all, omitted: this.#omitted };
    this.#all = [];
    this.#omitted = 0;
    return taken;
  }

  /** Handles an event of the browser. */
  add(method: string, params: unknown): void {
    if (method === 'Runtime.consoleAPICalled') this.#onConsole(consoleEvent.parse(params));
    else if (method === 'Runtime.exceptionThrown') {
      const { text, exception } = exceptionEvent.parse(params).exceptionDetails;
      this.#add('exception', exception?.description ?? text);
    } else if (method === 'Log.entryAdded') this.#onLog(logEvent.parse(params).entry);
    else if (method === 'Page.javascriptDialogOpening') {
      const { type, message } = dialogEvent.parse(params);
      this.#add('dialog', `${type}: ${message}`);
    }
  }

  #onConsole({ type, args }: z.output<typeof consoleEvent>): void {
    if (!['error', 'warning', 'assert'].includes(type)) return;
    const words = args.map(
      (one) => one.description ?? (typeof one.value === 'string' ? one.value : JSON.stringify(one.value)),
    );
    this.#add('console', `${type}: ${words.join(' ')}`);
  }

  #onLog({ source, level, text, url }: z.output<typeof logEvent>['entry']): void {
    // The icon is requested by the browser, not by the page.
    if (level !== 'error' || url?.endsWith('/favicon.ico') === true) return;
    const kind = source === 'network' ? 'network' : 'console';
    this.#add(kind, url === undefined ? text : `${text} (${url})`);
  }

  #add(kind: Complaint['kind'], text: string): void {
    if (this.#all.length >= maxComplaints.count) this.#omitted++;
    else this.#all.push({ kind, text: clip(text, maxComplaints.text) });
  }
}
