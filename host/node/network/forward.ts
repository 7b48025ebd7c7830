import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Headers that are about one connection, not about the message: RFC 9110, 7.6.1. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
]);

export interface Upstream {
  /** The IP address to connect to. */
  readonly address: string;
  readonly port: number;
  readonly path: string;
  /** The host in the request to the server: the one that was checked, regardless of the client's header. */
  readonly authority: string;
  /** Silence after which the connection is ended, in milliseconds. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** Passes one request on and its response back. Rejects if no response comes. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  route: Upstream,
): Promise<void> {
  const { address: host, port, path, signal } = route;
  const headers: Record<string, string | string[]> = { ...endToEnd(request), host: route.authority };
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  const { method = 'GET' } = request;
  const outgoing = send({ host, port, path, method, headers, signal, setHost: false, agent: false });
  outgoing.setTimeout(route.idleMs, () => outgoing.destroy(new Error('the server was silent for too long')));
  response.once('close', () => outgoing.destroy());
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve);
    // Stays: a connection can break after the answer has begun, and then the pipeline below reports it.
    outgoing.on('error', reject);
  });
  const sent = pipeline(request, outgoing);
  // A server may answer before it has read all; its answer counts.
  sent.catch(() => undefined);
  const answer = await answered;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer));
  await pipeline(answer, response);
}

function endToEnd(message: IncomingMessage): Record<string, string[]> {
  const named = new Set(
    (message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  );
  const all = Object.entries(message.headersDistinct);
  const kept = all.filter(([name]) => !ownHeaders.has(name) && !named.has(name));
  return Object.fromEntries(kept.map(([name, values]) => [name, values ?? []]));
}
