import { once } from 'node:events';
import { connect } from 'node:net';
import x11 from 'x11';
import type { Client, Display, Extensions, XEvent } from 'x11';
import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { FreezeAwareTimeout, type IsFrozen } from '../freeze-aware-timeout.ts';
import { CheckedStream, displayLimits, type DisplayLimits } from './wire/index.ts';

type XAnswer<T> = (error: Error | null | undefined, value: T) => boolean;

/** How a connection is made. */
export interface XConnectionOptions {
  readonly limits?: DisplayLimits;
  /** Asked when an answer is late: a server that is frozen is waited for. Default: it never is. */
  readonly isFrozen?: IsFrozen;
}

/** One connection to an X server, with promises. Disposing it closes it and rejects all open requests. */
export class XConnection implements Disposable {
  readonly client: Client;
  readonly root: number;
  readonly size: { readonly width: number; readonly height: number };
  readonly keycodes: { readonly first: number; readonly last: number };
  /** Where it listens. */
  readonly path: string;
  readonly limits: DisplayLimits;
  /** Resolves when the server is gone or this side closed; never rejects. */
  readonly closed: Promise<void>;
  readonly #stream: CheckedStream;
  readonly #isFrozen: IsFrozen | undefined;
  readonly #lost = new AbortController();
  #unasked: Error | undefined;

  private constructor(path: string, display: Display, stream: CheckedStream, options: XConnectionOptions) {
    const screen = display.screen[0];
    if (screen?.root_depth !== 24)
      throw new PwpError('display-lost', 'the X server has no screen of 24 bits');
    this.path = path;
    this.limits = options.limits ?? displayLimits;
    this.client = display.client;
    this.root = screen.root;
    this.size = { width: screen.pixel_width, height: screen.pixel_height };
    this.keycodes = { first: display.min_keycode, last: display.max_keycode };
    this.#stream = stream;
    this.#isFrozen = options.isFrozen;
    this.closed = new Promise((resolve) => stream.once('close', () => resolve()));
    stream.once('close', () => this.#lose());
    this.client.on('end', () => stream.destroy());
    // An error that belongs to no question: of an event that was faked, or of the stream, which closes by itself.
    this.client.on('error', (error) => (this.#unasked ??= error));
    // The package keeps one list for all servers, but every server numbers atoms by itself.
    this.client.atoms = { ...this.client.atoms };
    if (stream.destroyed) this.#lose();
  }

  /** Connects over a Unix socket. Errors: `display-lost`. */
  static async open(
    path: string,
    signal: AbortSignal,
    options: XConnectionOptions = {},
  ): Promise<XConnection> {
    const socket = connect(path);
    const stream = new CheckedStream(socket, options.limits ?? displayLimits);
    try {
      await raceSignal(once(socket, 'connect'), signal);
      return new XConnection(path, await raceSignal(awaitGreeting(stream), signal), stream, options);
    } catch (cause) {
      stream.destroy();
      if (signal.aborted) throw cause;
      throw stream.reason instanceof PwpError
        ? stream.reason
        : new PwpError('display-lost', `no X server answers at ${path}`, { cause });
    }
  }

  /** Makes one request and waits for its reply. Errors: `display-lost`, or what the server answered. */
  async ask<T>(operation: string, send: (answer: XAnswer<T>) => void): Promise<T> {
    const reply = new Promise<T>((resolve, reject) => {
      if (this.#lost.signal.aborted) return;
      send((error, value) => {
        if (error)
          reject(new PwpError('display-error', `X refused ${operation}: ${error.message}`, { cause: error }));
        else resolve(value);
        return true;
      });
    });
    const { answerMs } = this.limits;
    using limit = new FreezeAwareTimeout(answerMs, this.#isFrozen, this.#lost.signal);
    try {
      return await raceSignal(reply, limit.signal);
    } catch (error) {
      if (!limit.expired) throw error;
      const late = new PwpError('display-lost', `no answer to ${operation} within ${answerMs} ms`);
      this.#stream.fail(late);
      throw late;
    }
  }

  /** Resolves when the server has carried out all that was sent before. Errors: `display-error` if it refused. */
  async sync(): Promise<void> {
    await this.ask('a round trip', (answer: XAnswer<unknown>) => this.client.GetInputFocus(answer));
    const cause = this.#unasked;
    this.#unasked = undefined;
    if (cause !== undefined)
      throw new PwpError('display-error', `X refused a request: ${cause.message}`, { cause });
  }

  extension<K extends keyof Extensions>(name: K): Promise<Extensions[K]> {
    return this.ask(`the ${name} extension`, (answer: XAnswer<Extensions[K]>) =>
      this.client.require(name, answer),
    );
  }

  onEvent(listener: (event: XEvent) => void): void {
    this.client.on('event', listener);
  }

  /** Ends it for a reason, which every waiting caller gets. */
  fail(reason: PwpError): void {
    this.#stream.fail(reason);
  }

  [Symbol.dispose](): void {
    this.#lose();
    this.client.terminate();
  }

  /** Ends it without waiting for the server to do so too. */
  abandon(): void {
    this.#stream.destroy();
  }

  #lose(): void {
    const ended = new PwpError('display-lost', 'the connection to the X server ended');
    this.#lost.abort(this.#stream.reason instanceof PwpError ? this.#stream.reason : ended);
  }
}

function awaitGreeting(stream: CheckedStream): Promise<Display> {
  return new Promise((resolve, reject) => {
    const options = { stream, display: ':0', auth: { name: '', data: '' } };
    const client = x11.createClient(options, (error, display) => {
      if (error) reject(error);
      else resolve(display);
    });
    // Before the first byte: an error without a listener would end the process.
    client.on('error', reject);
    // The package reports the end of a stream only once it reads it.
    stream.once('close', () => reject(stream.reason ?? new Error('it hung up')));
  });
}
