import { once } from 'node:events';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { PwpError, guarded, messageOf, raceSignal } from '../lib/index.ts';
import { limits } from '../protocol/index.ts';
import type { Transport } from './transport.ts';

/** The same for both sides of every connection. */
export const wireOptions = {
  maxPayload: limits.messageBytes,
  perMessageDeflate: false,
  // Nobody here sends messages in parts, or asks whether the other side is there: a peer that does wants to do harm.
  maxFragments: 16,
  autoPong: false,
} as const satisfies ClientOptions;

/**
 * What a client needs in addition. A mask protects proxies from what pages in a browser send; there are no proxies and
 * no pages here, and masking took more time than all the rest. A mask of zeros changes nothing.
 */
export const clientOptions = {
  ...wireOptions,
  generateMask: () => undefined,
  // A server may answer that it will answer, as often as it likes, and all of it would be kept.
  finishRequest: (request, socket) => {
    request.on('information', () => socket.terminate());
    request.end();
  },
} as const satisfies ClientOptions;

/** As the library has it of the answer to who is not let in. */
const refusal = /^Unexpected server response: 401$/;

/**
 * Waits until a socket is open. Errors: `connect-failed`; `not-admitted` where the other side asks for another token.
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

/** A transport on a WebSocket, whatever carries that. */
export class WebSocketTransport implements Transport {
  readonly #socket: WebSocket;
  readonly #ended: Promise<Error | undefined>;
  #receive: ((message: string | Buffer) => void) | undefined;
  #waiting: (string | Buffer)[] = [];

  #reason: Error | undefined;
  #control = 0;

  /** To be made before the socket is open: a server's first message may come along with its handshake. */
  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', (error) => {
      this.#reason ??= error;
      // Else it would wait for the other side to part properly.
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
