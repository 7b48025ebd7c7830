import { on, once } from 'node:events';
import type { WebSocket } from 'ws';
import { raceSignal } from '../../../../bridge/lib/index.ts';
import type { PassedRequest, WorkerLink } from './worker-link.ts';

/** A message of a WebSocket. */
export interface SocketMessage {
  readonly data: Buffer;
  readonly isBinary: boolean;
}

/** The messages of a socket until it closes, or the signal fires. While one is not taken, its sender waits. */
export async function* takeMessages(
  socket: WebSocket,
  signal: AbortSignal,
): AsyncGenerator<SocketMessage, void> {
  const events = on(socket, 'message', { signal, close: ['close'], highWaterMark: 2, lowWaterMark: 1 });
  try {
    for await (const [data, isBinary] of events as AsyncIterable<[Buffer, boolean]>) yield { data, isBinary };
  } catch {
    // The signal has fired, or the socket has failed and closes.
  }
}

/** Resolves when a message is handed over to the network, or its socket has closed. */
export function sendMessage(socket: WebSocket, { data, isBinary }: SocketMessage): Promise<void> {
  return new Promise((resolve) => socket.send(data, { binary: isBinary }, () => resolve()));
}

/** A WebSocket of the front to a worker, for one of a client's. Disposing it closes it. */
export interface Upstream extends Disposable {
  readonly link: WorkerLink;
  /** Its next message; undefined if it has closed, or the worker has gone. */
  next(): Promise<SocketMessage | undefined>;
  send(message: SocketMessage): Promise<void>;
  /** The code and reason with which the worker closed it; undefined if it did not: it has gone. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
}

/** Opens a WebSocket to a worker. Rejects if that is impossible. */
export async function openUpstream(
  link: WorkerLink,
  passed: PassedRequest,
  signal: AbortSignal,
): Promise<Upstream> {
  const over = AbortSignal.any([signal, link.gone]);
  const socket = link.connect(passed);
  socket.on('error', () => socket.terminate());
  const messages = takeMessages(socket, over);
  let closed: Upstream['closed'];
  socket.once('close', (code, reason) => {
    // 1005 and 1006 stand for no code at all.
    if (code < 1004 || code > 1006) closed = { code, reason: reason.toString() };
  });
  const first = messages.next();
  try {
    await raceSignal(once(socket, 'open'), over);
  } catch (error) {
    socket.terminate();
    throw error;
  }
  let isFirst = true;
  return {
    link,
    async next() {
      const { value } = await (isFirst ? first : messages.next());
      isFirst = false;
      return value ?? undefined;
    },
    send: (message) => sendMessage(socket, message),
    get closed() {
      return closed;
    },
    [Symbol.dispose]: () => (over.aborted ? socket.terminate() : socket.close()),
  };
}
