import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { guarded } from './guarded.ts';

/** Takes a connection over from HTTP: a WebSocket, a tunnel. */
type TakeOver = (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown;

/** The listeners of a server. Each may throw or reject: that ends the connection and nothing else. */
export interface HttpListeners {
  readonly request?: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Default: a request to upgrade is answered like any other. */
  readonly upgrade?: TakeOver;
  /** For proxies. Default: such connections are closed. */
  readonly connect?: TakeOver;
}

export interface HttpDoorOptions extends ServerOptions {
  /** Certificate and key. Default: plain HTTP. */
  readonly tls?: Pick<TlsOptions, 'cert' | 'key'> | undefined;
}

/**
 * The only way to open an HTTP server here: nothing that a client sends can throw in a listener and end the process. It
 * does not listen yet.
 */
export function httpDoor(listeners: HttpListeners, { tls, ...options }: HttpDoorOptions = {}): Server {
  const server = tls ? createTlsServer({ ...options, ...tls }) : createServer(options);
  const { request, upgrade, connect } = listeners;
  if (request)
    server.on(
      'request',
      guarded(request, (_, { socket }) => socket.destroy()),
    );
  if (upgrade) server.on('upgrade', takeOver(upgrade));
  if (connect) server.on('connect', takeOver(connect));
  // E.g. EMFILE while it accepts a connection: that connection is lost, and the server continues.
  server.on('error', () => undefined);
  return server;
}

function takeOver(listener: TakeOver): TakeOver {
  return guarded(
    (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      // A broken connection is reported here, and an error without a listener ends the process.
      socket.on('error', () => socket.destroy());
      return listener(request, socket, head);
    },
    (_, __, socket) => socket.destroy(),
  );
}

/**
 * The address that a request asks for; null for a malformed one. Clients write what they like into a request's first
 * line, so nothing else may parse it. Only the path and the query mean something.
 */
export function addressOf({ url = '' }: IncomingMessage): URL | null {
  // As text, not against a base: `//` is a path here, not another host.
  if (!/^(\/|https?:\/\/)/i.test(url)) return null;
  return URL.parse(url.startsWith('/') ? `http://door${url}` : url);
}
