import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describeError, parseRequestUrl } from '../../../../bridge/lib/index.ts';
import type { PassedRequest, WorkerLink } from './worker-link.ts';

/** Of one connection alone. */
const connectionHeaders: readonly string[] = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];
/** Of the client's access to the front, and what a worker's connection has of its own. */
const accessHeaders: readonly string[] = [
  ...['authorization', 'x-api-key', 'origin', 'host', 'expect', 'content-length'],
  ...['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-extensions', 'sec-websocket-protocol'],
];

/** A client's request, as a worker gets it: with the worker's token in place of the client's. */
export function toPassed(request: IncomingMessage, user: string, body?: Buffer): PassedRequest {
  const address = parseRequestUrl(request);
  address?.searchParams.delete('token');
  const hasToken = /[?&]token=/.test(request.url ?? '');
  const query = hasToken ? address?.search : /\?.*$/.exec(request.url ?? '')?.[0];
  return {
    method: request.method ?? 'GET',
    path: `${address?.pathname ?? '/'}${query ?? ''}`,
    headers: selectHeaders(request, [...connectionHeaders, ...accessHeaders]),
    ...{ user, body },
  };
}

/** Names and values by turns, without those of the connection, and those that it names. */
function selectHeaders({ rawHeaders, headers }: IncomingMessage, without: readonly string[]): string[] {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return rawHeaders.flatMap((name, at) => {
    if (at % 2 === 1 || without.includes(name.toLowerCase()) || named.includes(name.toLowerCase())) return [];
    return [name, rawHeaders[at + 1] ?? ''];
  });
}

/**
 * Passes a request to a worker, and its answer back, as fast as the client reads it.
 * @param signal fires when the client has gone
 * @param mayRefuse whether another worker gets the request if this one has no room
 * @returns false if there was no answer: the worker has gone, or refused it
 */
export async function passRequest(
  link: WorkerLink,
  passed: PassedRequest,
  response: ServerResponse,
  signal: AbortSignal,
  mayRefuse: boolean,
): Promise<boolean> {
  const over = AbortSignal.any([signal, link.gone]);
  let reply: IncomingMessage;
  try {
    reply = await link.ask(passed, over);
  } catch {
    signal.throwIfAborted();
    if (await hasGone(link)) return false;
    // As it broke for the front: the client may send the request again.
    response.destroy();
    return true;
  }
  const { statusCode = 502, statusMessage = '' } = reply;
  // Another process has its address: the token is not that of this worker.
  if (statusCode === 401 || statusCode === 421) link.lose('another program has its address');
  if (link.gone.aborted || (mayRefuse && statusCode === 429)) {
    reply.resume();
    return false;
  }
  response.writeHead(statusCode, statusMessage, selectHeaders(reply, connectionHeaders));
  response.flushHeaders();
  try {
    for await (const chunk of reply as AsyncIterable<Buffer>)
      if (!response.write(chunk)) await once(response, 'drain', { signal: over });
    response.end();
  } catch (error) {
    const isStream = reply.headers['content-type']?.startsWith('text/event-stream') ?? false;
    // As the worker would end a call that failed.
    if (!signal.aborted && isStream && (await hasGone(link)))
      response.end(`\n\nevent: error\ndata: ${describeError(link.gone.reason).replaceAll(/\s+/g, ' ')}\n\n`);
    else throw error;
  }
  return true;
}

async function hasGone(link: WorkerLink): Promise<boolean> {
  if (!link.gone.aborted) await link.check();
  return link.gone.aborted;
}

/** A request whose body was read, for a handler that reads it. */
export function repeatRequest(request: IncomingMessage, body: Buffer): IncomingMessage {
  // Not imported: see `createHttpServer`.
  const http = process.getBuiltinModule('node:http');
  const again = new http.IncomingMessage(request.socket);
  again.method = request.method ?? '';
  again.url = request.url ?? '';
  again.headers = request.headers;
  // Else it would end the connection when it has been read.
  again.complete = true;
  again.push(body);
  again.push(null);
  return again;
}
