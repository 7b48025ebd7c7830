import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpServer, describeError, parseRequestUrl, PwpError } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import { readPageFiles } from '../report/index.ts';
import { renderDocument } from '../web/index.ts';
import {
  AccessTokens,
  formatOrigin,
  isOwnHost,
  isOwnOrigin,
  loopbackAddress,
  readCredentials,
  requireHost,
  type ServerAddress,
  type ServerNames,
  type SharedLink,
  type SharedLinkOptions,
  type Visitor,
} from './access.ts';
import { type SocketHandler, type SocketOptions, Sockets } from './sockets.ts';

/** Answers requests for one path. Its signal fires when the client has gone, its link has ended, or the server ends. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
  visitor: Visitor,
) => Promise<void>;

/** The handlers of each path: one for GET, or one for each method. A part of a path that begins with `:` is any one. */
export type Routes = Readonly<Record<string, RequestHandler | MethodHandlers>>;

const methods = ['GET', 'POST', 'DELETE'] as const;

export interface MethodHandlers
  extends Readonly<Partial<Record<(typeof methods)[number], RequestHandler>>>, SocketOptions {
  /** For WebSockets. */
  readonly socket?: SocketHandler | undefined;
  /** Also for people with their own link, whose rights are in the handler's visitor. Default: only for the owner. */
  readonly shared?: boolean | undefined;
}

/** A server for programs and people with a token. Disposing it ends all requests in progress. */
export interface Server extends AsyncDisposable {
  /** Address with the token in it: all that a caller needs. */
  readonly url: string;
  /** Address without the token, e.g. `http://127.0.0.1:8123`. */
  readonly origin: string;
  readonly token: string;
  /** Makes a second address, for another person. People who use it are disconnected when it expires. */
  share(options: SharedLinkOptions): SharedLink;
}

export interface ServerOptions {
  /** Secret that callers must send; at least 16 characters. Default: a new one for this server. */
  readonly token?: string | undefined;
  /** The address for others. Default: only this machine. */
  readonly place?: ServerAddress | undefined;
  /** Other host names by which callers reach it: behind a proxy, or from a container. Default: no others. */
  readonly allowHosts?: readonly string[] | undefined;
  /** The most WebSockets at once. Default 24: each page costs pictures of its own. */
  readonly mostSockets?: number | undefined;
}

/**
 * Serves some paths to programs and people: on 127.0.0.1, or over TLS on a requested address; to callers with a token, but
 * not to web pages of another origin, even if their host name resolves to this machine. The token comes as `?token=`,
 * `Authorization: Bearer`, `X-API-Key`, or as the password of `Authorization: Basic`, which clients send that only take an
 * address. Errors: `port-taken`, `usage` for a token that is too short or an address that is not this machine's.
 * @param port 0 for a free one
 */
export async function openServer(
  routes: Routes,
  port: number,
  { token, place = loopbackAddress, allowHosts = [], mostSockets = 24 }: ServerOptions = {},
): Promise<Server> {
  const links = new AccessTokens(token);
  const closing = new AbortController();
  const named = { place, others: allowHosts.map(requireHost) };
  const serving = { routes, links, named, closing: closing.signal };
  const sockets = new Sockets(closing.signal, mostSockets);
  const server = createHttpServer(
    {
      request: (request, response) => answerRequest(request, response, serving),
      upgrade: (request, socket, head) => {
        const admitted = admitRequest(request, serving);
        const handler = typeof admitted === 'number' ? undefined : admitted.handlers.socket;
        const status = typeof admitted === 'number' ? admitted : 400;
        if (typeof admitted === 'number' || !handler) sockets.refuse(socket, status);
        else sockets.accept({ request, socket, head }, handler, admitted.visitor, admitted.handlers);
      },
    },
    { tls: place.tls ? { cert: place.tls.certificate, key: place.tls.key } : undefined },
  );
  server.listen({ host: place.host, port });
  await once(server, 'listening').catch((cause: unknown) => {
    throw cannotListen(place, port, cause);
  });
  const { port: bound } = server.address() as AddressInfo;
  const origin = formatOrigin(place, bound);
  return {
    url: `${origin}/?token=${encodeURIComponent(links.token)}`,
    origin,
    token: links.token,
    share: (wanted) => links.add(origin, wanted),
    async [Symbol.asyncDispose]() {
      closing.abort();
      links[Symbol.dispose]();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await sockets[Symbol.asyncDispose]();
      await closed;
    },
  };
}

function cannotListen({ host }: ServerAddress, port: number, cause: unknown): PwpError {
  const message = `can't listen on ${host}, port ${port}: ${describeError(cause)}`;
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new PwpError('usage', message, { help: 'Give a name or an address of this machine.', cause });
  return new PwpError('port-taken', message, { help: 'Give another --port, or 0 for a free one.', cause });
}

interface Serving {
  readonly routes: Routes;
  readonly links: AccessTokens;
  readonly named: ServerNames;
  readonly closing: AbortSignal;
}

interface Admitted {
  readonly handlers: MethodHandlers;
  readonly visitor: Visitor;
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const admitted = admitRequest(request, serving);
    const found =
      typeof admitted === 'number' ? admitted : findHandler(admitted.handlers, request.method ?? '');
    if (typeof admitted === 'number' || typeof found === 'number' || !found) {
      if (typeof admitted !== 'number') response.setHeader('Allow', listMethods(admitted.handlers));
      refuseRequest(response, typeof found === 'number' ? found : 405, request);
      return;
    }
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'no-referrer');
    const { visitor } = admitted;
    await found(request, response, AbortSignal.any([gone.signal, serving.closing, visitor.expired]), visitor);
  } catch (error) {
    if (gone.signal.aborted || serving.closing.aborted) response.destroy();
    else if (response.headersSent) response.destroy();
    else response.writeHead(500, { 'Content-Type': 'text/plain' }).end(`${describeError(error)}\n`);
  }
}

/** The handlers of the requested path and the visitor, or the status with which to refuse the request. */
function admitRequest(request: IncomingMessage, { routes, links, named }: Serving): Admitted | number {
  const { host = '', origin, authorization } = request.headers;
  if (!isOwnHost(named, host)) return 421;
  // Browsers send the page's origin; programs don't.
  if (origin !== undefined && !isOwnOrigin(named, origin, host)) return 403;
  const url = parseRequestUrl(request);
  if (!url) return 400;
  const { user, secret } = readCredentials(authorization ?? '');
  const given = [url.searchParams.get('token'), request.headers['x-api-key'], secret].flatMap(
    (one) => one ?? [],
  );
  const pass = links.find(given.find((one) => one !== '') ?? '');
  if (!pass) return 401;
  const visitor = { ...pass, user, address: request.socket.remoteAddress ?? '' };
  const found = findRoute(routes, url.pathname);
  if (found === undefined) return request.method === 'GET' ? 404 : 405;
  const handlers = typeof found === 'function' ? { GET: found } : found;
  return visitor.isOwner || handlers.shared ? { handlers, visitor } : 403;
}

/** The exact path, or else the first whose parts all fit. */
function findRoute(routes: Routes, path: string): Routes[string] | undefined {
  if (Object.hasOwn(routes, path)) return routes[path];
  const parts = path.split('/');
  const fits = (pattern: readonly string[]) =>
    pattern.length === parts.length &&
    pattern.every((part, at) => part === parts[at] || part.startsWith(':'));
  return Object.entries(routes).find(([pattern]) => pattern.includes(':') && fits(pattern.split('/')))?.[1];
}

function findHandler(handlers: MethodHandlers, method: string): RequestHandler | undefined {
  const known = methods.find((one) => one === method);
  return known && handlers[known];
}

function listMethods(handlers: MethodHandlers): string {
  return methods.filter((method) => handlers[method]).join(', ');
}

function refuseRequest(response: ServerResponse, status: number, { headers }: IncomingMessage): void {
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  const text = status === 421 ? unknownHostText(headers.host ?? '') : '';
  response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${status}${text}\n`);
}

/** The text is of no use to a page whose name was made to resolve to this machine: it can't start a server. */
function unknownHostText(host: string): string {
  const name = JSON.stringify(clip(host, 260));
  return `: this server does not answer to the host ${name}: start it with --allow-host and that name, without the port`;
}

/** Sends a page that may load what this server has, and run one script. Its title is all that the script is given. */
export async function sendPage(
  response: ServerResponse,
  page: 'live' | 'studies' | 'queue',
  title: string,
): Promise<void> {
  const nonce = randomBytes(16).toString('base64');
  const files = await readPageFiles(page);
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; img-src 'self' data:; media-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
  });
  response.end(renderDocument({ ...files, title, nonce }));
}
