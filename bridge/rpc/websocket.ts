import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { httpDoor, isSameSecret } from '../lib/index.ts';
import type { Transport } from './transport.ts';
import { WebSocketTransport, clientOptions, openTransport, wireOptions } from './websocket-transport.ts';

/** A client that has not sent the token after this many milliseconds is disconnected. */
const helloMs = 10_000;
/** Maximum number of simultaneous connections, including those without a token. */
const maxConnections = 256;

export interface WebSocketAddress {
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
  const http = httpDoor(
    {
      request: (_, response) => response.writeHead(401, { connection: 'close' }).end(),
      upgrade: (request, socket, head) => {
        if (!isAdmitted(request, token)) return refuse(socket);
        server.handleUpgrade(request, socket, head, (open) => accept(new WebSocketTransport(open)));
      },
    },
    { headersTimeout: helloMs, requestTimeout: helloMs, maxHeaderSize: 8192 },
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

function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
    socket.destroy(),
  );
}
