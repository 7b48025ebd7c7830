import { once } from 'node:events';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { PwpError, guarded, messageOf, raceSignal } from '../lib/index.ts';
import { limits } from '../protocol/index.ts';
import type { Transport } from './transport.ts';

/** Options for both sides of every connection. */
export const wireOptions = {
  maxPayload: limits.messageBytes,
  perMessageDeflate: false,
  // Our peers never send messages in parts, nor pings: a peer that does is hostile.
  maxFragments: 16,
  autoPong: false,
} as const satisfies ClientOptions;

/**
 * Further options of clients. A mask protects proxies from messages of pages in a browser; there are no proxies and no
 * pages here, and masking took more time than everything else. A mask of zeros changes nothing.
 */
export const clientOptions = {
  ...wireOptions,
  generateMask: () => undefined,
  // A server may send any number of informational answers, and all of them would be kept.
  finishRequest: (request, socket) => {
    request.on('information', () => socket.terminate());
    request.end();
  },
} as const satisfies ClientOptions;

/** The library's message for a refused client. */
const refusal = /^Unexpected server response: 401$/;

/**
 * Waits until a socket is open. Errors: `connect-failed`; `not-admitted` if the other side requires another token.
 * @param where names the other side in the error
 */
export async function openTransport(
  socket: WebSocket,
  where: string,
  signal: AbortSignal,
): Promise<Transport> {
  const transport = new WebSocketTransport(socket);
  try {
    await raceSignal(once(socket, 'open'), signal);
  } catch (cause) {
    socket.terminate();
    const code = refusal.test(messageOf(cause)) ? 'not-admitted' : 'connect-failed';
    throw new PwpError(code, `can't connect to ${where}: ${messageOf(cause)}`, { cause });
  }
  return transport;
}

/** Pings and their answers on one connection. */
const mostControl = 100;

/** A transport on a WebSocket, over any kind of socket. */
export class WebSocketTransport implements Transport {
  readonly #socket: WebSocket;
  readonly #ended: Promise<Error | undefined>;
  #receive: ((message: string | Buffer) => void) | undefined;
  #waiting: (string | Buffer)[] = [];

  #reason: Error | undefined;
  #control = 0;

  /** Create it before the socket is open: a server's first message may come along with its handshake. */
  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', (error) => {
      this.#reason ??= error;
      // Else it would wait for the other side's closing handshake.
      socket.terminate();
    });
    for (const frame of ['ping', 'pong'] as const) socket.on(frame, () => this.#onControl());
    const receive = guarded(
      (data: RawData, isBinary: boolean) => this.#onData(data, isBinary),
      (error) => void this.close(error instanceof Error ? error : new Error(String(error))),
    );
    socket.on('message', receive);
    this.#ended = new Promise((resolve) => socket.once('close', () => resolve(this.#reason)));
  }

  send(message: string | Buffer): void {
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    if (this.#socket.bufferedAmount <= limits.queuedBytes) return this.#socket.send(message);
    this.#reason = new Error(`the other side has not read the last ${limits.queuedBytes} bytes`);
    this.#socket.terminate();
  }

  onMessage(receive: (message: string | Buffer) => void): void {
    this.#receive = receive;
    for (const message of this.#waiting.splice(0)) receive(message);
  }

  onEnd(end: (reason: Error | undefined) => void): void {
    void this.#ended.then(end);
  }

  async close(reason?: Error): Promise<void> {
    this.#reason ??= reason;
    this.#socket.terminate();
    await this.#ended;
  }

  #onControl(): void {
    this.#control += 1;
    if (this.#control > mostControl) void this.close(new Error(`more than ${mostControl} pings`));
  }

  #onData(data: RawData, isBinary: boolean): void {
    const bytes = bytesOf(data);
    const message = isBinary ? bytes : bytes.toString('utf8');
    if (this.#receive) this.#receive(message);
    else this.#waiting.push(message);
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
