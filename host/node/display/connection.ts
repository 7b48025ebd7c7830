import { once } from 'node:events';
import type { Socket } from 'node:net';
import x11, { type Client, type Display, type Extensions, type XEvent } from 'x11';
import fdpass from 'x11/lib/fdpass.js';
import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';

type Answer<T> = (error: Error | null | undefined, value: T) => boolean;

/** One connection to an X server, with promises. Disposing it closes it and rejects what was still asked. */
export class Connection implements Disposable {
  readonly client: Client;
  readonly root: number;
  readonly size: { readonly width: number; readonly height: number };
  readonly keycodes: { readonly first: number; readonly last: number };
  /** Resolves when the server is gone or this side closed; never rejects. */
  readonly closed: Promise<void>;
  readonly #lost = new AbortController();
  #unasked: Error | undefined;

  private constructor(display: Display, socket: Socket) {
    const screen = display.screen[0];
    if (screen?.root_depth !== 24)
      throw new PwpError('display-lost', 'the X server has no screen of 24 bits');
    this.client = display.client;
    this.root = screen.root;
    this.size = { width: screen.pixel_width, height: screen.pixel_height };
    this.keycodes = { first: display.min_keycode, last: display.max_keycode };
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.once('close', () => this.#lose());
    this.client.on('end', () => socket.destroy());
    // An error that belongs to no question: of an event that was faked, or of the stream, which closes by itself.
    this.client.on('error', (error) => (this.#unasked ??= error));
    // The package keeps one list for all servers, but every server numbers atoms by itself.
    this.client.atoms = { ...this.client.atoms };
  }

  /** Connects over a Unix socket that can carry file descriptors. Errors: `display-lost`. */
  static async open(path: string, signal: AbortSignal): Promise<Connection> {
    const socket = fdpass.connect(path);
    if (socket === null)
      throw new PwpError('display-lost', 'this Node can not pass file descriptors to the X server');
    try {
      await raceSignal(once(socket, 'connect'), signal);
      return new Connection(await raceSignal(greet(socket), signal), socket);
    } catch (cause) {
      socket.destroy();
      if (signal.aborted) throw cause;
      throw new PwpError('display-lost', `no X server answers at ${path}`, { cause });
    }
  }

  /** Makes one request and waits for its reply. Errors: `display-lost`, or what the server answered. */
  ask<T>(operation: string, send: (answer: Answer<T>) => void): Promise<T> {
    const reply = new Promise<T>((resolve, reject) => {
      if (this.#lost.signal.aborted) return;
      send((error, value) => {
        if (error)
          reject(new PwpError('display-error', `X refused ${operation}: ${error.message}`, { cause: error }));
        else resolve(value);
        return true;
      });
    });
    return raceSignal(reply, this.#lost.signal);
  }

  /** Resolves when the server has carried out all that was sent before. Errors: `display-error` if it refused. */
  async sync(): Promise<void> {
    await this.ask('a round trip', (answer: Answer<unknown>) => this.client.GetInputFocus(answer));
    const cause = this.#unasked;
    this.#unasked = undefined;
    if (cause !== undefined)
      throw new PwpError('display-error', `X refused a request: ${cause.message}`, { cause });
  }

  extension<K extends keyof Extensions>(name: K): Promise<Extensions[K]> {
    return this.ask(`the ${name} extension`, (answer: Answer<Extensions[K]>) =>
      this.client.require(name, answer),
    );
  }

  onEvent(listener: (event: XEvent) => void): void {
    this.client.on('event', listener);
  }

  [Symbol.dispose](): void {
    this.#lose();
    this.client.terminate();
  }

  #lose(): void {
    this.#lost.abort(new PwpError('display-lost', 'the connection to the X server ended'));
  }
}

function greet(socket: Socket): Promise<Display> {
  return new Promise((resolve, reject) => {
    const options = { stream: socket, display: ':0', auth: { name: '', data: '' } };
    x11.createClient(options, (error, display) => {
      if (error) reject(error);
      else resolve(display);
    });
  });
}
