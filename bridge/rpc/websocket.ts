import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ClientOptions, type RawData, WebSocket, WebSocketServer } from 'ws';
import {
  createHttpServer,
  describeError,
  guardListener,
  isSameSecret,
  PwpError,
  raceSignal,
} from '../lib/index.ts';
import { limits } from '../protocol/index.ts';
import type { Transport } from './transport.ts';

/** A client that has not sent the token after this many milliseconds is disconnected. */
const tokenTimeoutMs = 10_000;
/** Maximum number of simultaneous connections, including those without a token. */
const maxConnections = 256;

interface WebSocketAddress {
  readonly host: string;
  /** 0 to listen on any free port. */
  readonly port: number;
  /** The client's token, sent in a header: addresses are logged in many places. */
  readonly token: string;
}

/** A listening TCP port; disposing it ends its connections. */
export interface WebSocketListener extends AsyncDisposable {
  readonly port: number;
}

/** Connects to a port of {@link listenWebSocket}. Errors: `connect-failed`, `not-admitted`. */
export function connectWebSocket(
  { host, port, token }: WebSocketAddress,
  signal: AbortSignal,
): Promise<Transport> {
  const url = `ws://${host}:${port}/`;
  const headers = { authorization: `Bearer ${token}` };
  return openTransport(new WebSocket(url, { ...clientOptions, headers }), url, signal);
}

/** Listens for WebSockets with the token. Everything else, and every page in a browser, is answered 401. */
export async function listenWebSocket(
  { host, port, token }: WebSocketAddress,
  accept: (transport: Transport) => void,
): Promise<WebSocketListener> {
  const server = new WebSocketServer({ noServer: true, ...wireOptions });
  const http = createHttpServer(
    {
      request: (_, response) => response.writeHead(401, { connection: 'close' }).end(),
      upgrade: (request, socket, head) => {
        if (!isAdmitted(request, token)) return refuseUpgrade(socket);
        server.handleUpgrade(request, socket, head, (open) => accept(new WebSocketTransport(open)));
      },
    },
    { headersTimeout: tokenTimeoutMs, requestTimeout: tokenTimeoutMs, maxHeaderSize: 8192 },
  );
  http.maxConnections = maxConnections;
  http.listen(port, host);
  await once(http, 'listening');
  return {
    port: (http.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      for (const client of server.clients) client.terminate();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** Only browsers send an origin, and no page may connect here. */
function isAdmitted({ headers }: IncomingMessage, token: string): boolean {
  const shown = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  return isSameSecret(shown, token) && headers.origin === undefined;
}

function refuseUpgrade(socket: Duplex): void {
  socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
    socket.destroy(),
  );
}

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
const refusedClient = /^Unexpected server response: 401$/;

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
    const code = refusedClient.test(describeError(cause)) ? 'not-admitted' : 'connect-failed';
    throw new PwpError(code, `can't connect to ${where}: ${describeError(cause)}`, { cause });
  }
  return transport;
}

/** Pings and their answers on one connection. */
const maxControlFrames = 100;

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
    const receive = guardListener(
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
    if (this.#control > maxControlFrames) void this.close(new Error(`more than ${maxControlFrames} pings`));
  }

  #onData(data: RawData, isBinary: boolean): void {
    const bytes = joinBytes(data);
    const message = isBinary ? bytes : bytes.toString('utf8');
    if (this.#receive) this.#receive(message);
    else this.#waiting.push(message);
  }
}

function joinBytes(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
