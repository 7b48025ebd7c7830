import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PwpError, isSameSecret, messageOf } from '../../bridge/lib/index.ts';

/** Answers requests for one path. Its signal fires when the client has gone or the server ends. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
) => Promise<void>;

/** The handlers of each path: one for GET, or one for each method. */
export type Routes = Readonly<Record<string, RequestHandler | MethodHandlers>>;
export type MethodHandlers = Readonly<Partial<Record<'GET' | 'POST' | 'DELETE', RequestHandler>>>;

/** A server on this machine's loopback interface. Disposing it ends all requests in progress. */
export interface Server extends AsyncDisposable {
  /** Address with the token in it, which is all that a caller needs. */
  readonly url: string;
  /** Address without the token, e.g. `http://127.0.0.1:8123`. */
  readonly origin: string;
  readonly token: string;
}

export interface ServerOptions {
  /** Secret that callers must send; at least 16 characters. Default: a new one for this server. */
  readonly token?: string | undefined;
}

/**
 * Serves some paths to programs and people on this machine: on 127.0.0.1 only, to callers with the token, and not to web
 * pages of another origin, even if their host name resolves to this machine. The token comes as `?token=` or
 * `Authorization: Bearer`. Errors: `port-taken`, `usage` for a token that is too short.
 * @param port 0 for a free one
 */
export async function openServer(routes: Routes, port: number, options: ServerOptions = {}): Promise<Server> {
  const token = options.token ?? randomBytes(24).toString('base64url');
  if (token.length < 16) throw new PwpError('usage', 'the token is too short: give at least 16 characters');
  const closing = new AbortController();
  const server = createServer((request, response) => {
    void answer(request, response, { routes, token, closing: closing.signal });
  });
  server.listen({ host: '127.0.0.1', port });
  await once(server, 'listening').catch((cause: unknown) => {
    throw new PwpError('port-taken', `can't listen on 127.0.0.1:${port}: ${messageOf(cause)}`, {
      help: 'Give another --port, or 0 for a free one.',
      cause,
    });
  });
  const { port: bound } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${bound}`;
  return {
    url: `${origin}/?token=${encodeURIComponent(token)}`,
    origin,
    token,
    async [Symbol.asyncDispose]() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Serving {
  readonly routes: Routes;
  readonly token: string;
  readonly closing: AbortSignal;
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const handler = admit(request, serving);
    if (typeof handler === 'number') {
      refuse(response, handler);
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    await handler(request, response, AbortSignal.any([gone.signal, serving.closing]));
  } catch (error) {
    if (gone.signal.aborted || serving.closing.aborted) response.destroy();
    else if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${messageOf(error)}\n`);
  }
}

/** The handler of the requested path, or the status to refuse the request with. */
function admit(request: IncomingMessage, { routes, token }: Serving): RequestHandler | number {
  const { host, origin, authorization } = request.headers;
  if (!isLocal(host)) return 421;
  // Browsers send the page's origin; programs don't.
  if (origin !== undefined && origin !== `http://${host}`) return 403;
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const bearer = /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
  if (!isSameSecret(url.searchParams.get('token') ?? bearer ?? '', token)) return 401;
  const found = Object.hasOwn(routes, url.pathname) ? routes[url.pathname] : undefined;
  if (found === undefined) return request.method === 'GET' ? 404 : 405;
  return forMethod(found, request.method ?? '') ?? 405;
}

function forMethod(found: RequestHandler | MethodHandlers, method: string): RequestHandler | undefined {
  const routes: MethodHandlers = typeof found === 'function' ? { GET: found } : found;
  return method === 'GET' || method === 'POST' || method === 'DELETE' ? routes[method] : undefined;
}

/** Whether a request names this machine by a host name that no other machine can have. */
function isLocal(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host ?? '');
}

function refuse(response: ServerResponse, status: number): void {
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${status}\n`);
}
