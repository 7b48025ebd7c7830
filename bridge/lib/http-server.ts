import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { ServerOptions as TlsOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** Takes a connection over from HTTP: a WebSocket, a tunnel. */
type ConnectionListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown;

/** The listeners of a server. Each may throw or reject: that ends the connection and nothing else. */
interface HttpListeners {
  readonly request?: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Default: a request to upgrade is answered like any other. */
  readonly upgrade?: ConnectionListener;
  /** For proxies. Default: such connections are closed. */
  readonly connect?: ConnectionListener;
}

interface HttpServerOptions extends ServerOptions {
  /** Certificate and key. Default: plain HTTP. */
  readonly tls?: Pick<TlsOptions, 'cert' | 'key'> | undefined;
}

/**
 * The only way to open an HTTP server here: nothing that a client sends can throw in a listener and end the process. It
 * does not listen yet.
 */
export function createHttpServer(
  listeners: HttpListeners,
  { tls, ...options }: HttpServerOptions = {},
): Server {
  // Not imported: an import reads each of the module's exports, of which one loads all of `fetch`. It takes 35 ms.
  const server = tls
    ? process.getBuiltinModule('node:https').createServer({ ...options, ...tls })
    : process.getBuiltinModule('node:http').createServer(options);
  const { request, upgrade, connect } = listeners;
  if (request)
    server.on(
      'request',
      guardListener(request, (_, { socket }) => socket.destroy()),
    );
  if (upgrade) server.on('upgrade', guardConnectionListener(upgrade));
  if (connect) server.on('connect', guardConnectionListener(connect));
  // E.g. EMFILE while it accepts a connection: that connection is lost, and the server continues.
  server.on('error', () => undefined);
  return server;
}

function guardConnectionListener(listener: ConnectionListener): ConnectionListener {
  return guardListener(
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
export function parseRequestUrl({ url = '' }: IncomingMessage): URL | null {
  // As text, not against a base: `//` is a path here, not another host.
  if (!/^(\/|https?:\/\/)/i.test(url)) return null;
  return URL.parse(url.startsWith('/') ? `http://door${url}` : url);
}

/** A listener's result is ignored; a promise is awaited. */
type Listener<A extends unknown[]> = (...args: A) => unknown;

/**
 * A listener that can't end the process. An error, thrown at once or later, goes to `onFail` with the listener's arguments.
 * @param onFail ends what the event came from, e.g. destroys the socket
 */
export function guardListener<A extends unknown[]>(
  listener: Listener<A>,
  onFail: (error: unknown, ...args: A) => void,
): (...args: A) => void {
  const fail = (error: unknown, args: A) => {
    try {
      onFail(error, ...args);
    } catch {
      // The source of the event is broken already.
    }
  };
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch((error: unknown) => fail(error, args));
    } catch (error) {
      fail(error, args);
    }
  };
}

/** Compares a secret with a given value, in a time that does not depend on where they differ. */
export function isSameSecret(shown: string, secret: string): boolean {
  return timingSafeEqual(digest(shown), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
