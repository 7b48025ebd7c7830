import * as z from 'zod';
import type { CdpConnection, CdpEvent } from '../../../../dom/index.ts';
import { PwpError, raceSignal } from '../../../../lib/index.ts';
import { PageProblems } from './page-problems.ts';

const created = z.object({ targetId: z.string() });
const attached = z.object({ sessionId: z.string() });
const evaluated = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});
const frame = z.object({ frameId: z.string() });

/** One page of a test's browser. */
export class Tab {
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
  ): Promise<Tab> {
    const send = (method: string, params: object) => connection.send(method, params, undefined, signal);
    const { targetId } = created.parse(await send('Target.createTarget', { url: 'about:blank' }));
    const { sessionId } = attached.parse(await send('Target.attachToTarget', { targetId, flatten: true }));
    const tab = new Tab(connection, targetId, sessionId);
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
    const { result, exceptionDetails: thrown } = evaluated.parse(
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
    if (frame.safeParse(params).data?.frameId !== this.#target) return;
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
