import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { describeError, pause } from '../../../bridge/lib/index.ts';
import type { Visitor } from './access.ts';

/** Serves one WebSocket until it resolves. Its signal fires when the socket has closed or has to. */
export type SocketHandler = (
  socket: WebSocket,
  visitor: Visitor,
  signal: AbortSignal,
  request: IncomingMessage,
) => Promise<void>;

export interface SocketOptions {
  /** Milliseconds without a sign of life after which the other side counts as gone. Default 10 s. */
  readonly patienceMs?: number | undefined;
}

/** A request for a WebSocket, as node:http hands it over. */
interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** The maximum bytes of one message: mostly of pasted text. */
const mostBytes = 4 * 1024 * 1024;
/** Milliseconds between two signs of life. */
const beatMs = 10_000;

/** {@link SocketOptions.patienceMs} for trainers, which may block their own event loop. */
export const trainerPatienceMs = 5 * 60_000;

/** Codes with which a socket is closed, for clients that read them: those above 4000 are an application's own. */
export const closeCodes = { away: 1001, failed: 1011, policy: 1008, expired: 4001 } as const;

/** The WebSockets of one server. Disposing it ends them and waits for their handlers. */
export class Sockets implements AsyncDisposable {
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: mostBytes,
    perMessageDeflate: false,
    maxFragments: 16,
  });
  readonly #closing: AbortSignal;
  readonly #most: number;
  readonly #handlers = new Set<Promise<void>>();

  /**
   * @param closing fires when the server ends
   * @param most sockets at once
   */
  constructor(closing: AbortSignal, most: number) {
    this.#closing = closing;
    this.#most = most;
  }

  accept(
    { request, socket, head }: Upgrade,
    handler: SocketHandler,
    visitor: Visitor,
    options: SocketOptions,
  ): void {
    if (this.#server.clients.size >= this.#most) return this.refuse(socket, 503);
    this.#server.handleUpgrade(request, socket, head, (open) => {
      const serve = (signal: AbortSignal) => handler(open, visitor, signal, request);
      const handling = this.#serve(open, serve, visitor, options);
      this.#handlers.add(handling);
      void handling.finally(() => this.#handlers.delete(handling));
    });
  }

  /** Refuses a WebSocket. */
  refuse(socket: Duplex, status: number): void {
    socket.on('error', () => socket.destroy());
    const head = `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    socket.end(head, () => socket.destroy());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await Promise.allSettled(this.#handlers);
  }

  /** Never rejects. */
  async #serve(
    socket: WebSocket,
    serve: (signal: AbortSignal) => Promise<void>,
    visitor: Visitor,
    { patienceMs = beatMs }: SocketOptions,
  ): Promise<void> {
    const gone = new AbortController();
    socket.once('close', () => gone.abort());
    // A message that is too long, or invalid: the socket closes by itself.
    socket.on('error', () => socket.terminate());
    const expire = () => closeSocket(socket, closeCodes.expired, 'this link has expired');
    visitor.expired.addEventListener('abort', expire, { signal: gone.signal });
    const beating = watchHeartbeat(socket, patienceMs, gone.signal);
    try {
      await serve(AbortSignal.any([gone.signal, this.#closing, visitor.expired]));
      closeSocket(socket, closeCodes.away, '');
    } catch (error) {
      if (this.#closing.aborted) closeSocket(socket, closeCodes.away, '');
      else closeSocket(socket, closeCodes.failed, describeError(error));
    } finally {
      gone.abort();
      await beating;
    }
  }
}

/** Closes a socket with a reason; one that does not answer is terminated soon after. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  // Longer reasons don't fit into a control frame.
  socket.close(
    code,
    Buffer.from(reason)
      .subarray(0, 120)
      .toString()
      .replace(/\uFFFD+$/, ''),
  );
}

async function watchHeartbeat(socket: WebSocket, patienceMs: number, signal: AbortSignal): Promise<void> {
  let alive = true;
  socket.on('pong', () => (alive = true));
  try {
    for (let silentMs = 0; silentMs < patienceMs; silentMs = alive ? 0 : silentMs + beatMs) {
      alive = false;
      socket.ping();
      await pause(beatMs, signal);
    }
    socket.terminate();
  } catch {
    // It is over.
  }
}

export function decodeMessage(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8');
}
