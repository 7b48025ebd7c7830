import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createHttpServer, describeError, PwpError } from '../../../bridge/lib/index.ts';
import {
  type EgressPolicy,
  EgressRefused,
  type EgressTarget,
  parseConnectTarget,
  parseRequestTarget,
} from './egress-policy.ts';
import { type Egress, egressIdleMs, maxEgressConnections, RefusalLog } from './egress.ts';

/** To reach a server, in milliseconds. */
const connectMs = 15_000;

/** The forward proxy of one sandbox: HTTP/1.1 with full addresses, and CONNECT. */
export class EgressProxy implements Egress {
  readonly refusals = new RefusalLog();
  readonly #policy: EgressPolicy;
  readonly #web = createHttpServer({
    request: (request, response) => this.#forward(request, response),
    connect: (request, socket, head) => this.#tunnel(request, socket, head),
  });
  readonly #clients = new Set<Duplex>();
  readonly #over = new AbortController();

  constructor(policy: EgressPolicy) {
    this.#policy = policy;
    // One per open connection, which are bounded.
    setMaxListeners(0, this.#over.signal);
  }

  /** Ends every connection. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort(new PwpError('sandbox-stopped', 'the sandbox has ended'));
    for (const client of this.#clients) client.destroy();
    return Promise.resolve();
  }

  accept(client: Duplex): void {
    if (this.#over.signal.aborted || this.#clients.size >= maxEgressConnections) {
      client.destroy();
      this.refusals.add({ host: '', port: 0 }, 'too-many-connections');
      return;
    }
    this.#clients.add(client);
    client.once('close', () => this.#clients.delete(client));
    client.on('error', () => client.destroy());
    this.#web.emit('connection', client);
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const target = parseRequestTarget(request.url ?? '');
      const address = await this.#admit(target);
      await forwardRequest(request, response, {
        ...target,
        address,
        idleMs: egressIdleMs,
        signal: this.#over.signal,
      });
    } catch (error) {
      // An answer that broke off must not look whole.
      if (response.headersSent) response.destroy();
      else response.writeHead(toHttpStatus(error), plainTextHeaders).end(explainRefusal(error));
    }
  }

  async #tunnel({ url = '' }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    try {
      const target = parseConnectTarget(url);
      const upstream = await dialUpstream(await this.#admit(target), target.port, this.#over.signal);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      // It rejects when either side breaks off; both are ended then, and no one is left to report to.
      await pipeline(client, upstream, client).catch(() => undefined);
    } catch (error) {
      const text = explainRefusal(error);
      const headers = `Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
      // Many programs show nothing but the words of the status line.
      const reason = text.replaceAll(/[^ -~]+/g, ' ').trim();
      // The rest is read and dropped, so that the connection's end is noticed.
      client.resume().end(`HTTP/1.1 ${toHttpStatus(error)} ${reason}\r\n${headers}\r\n\r\n${text}`);
    }
  }

  async #admit(target: EgressTarget): Promise<string> {
    try {
      return await this.#policy.admit(target);
    } catch (error) {
      if (error instanceof EgressRefused) this.refusals.add(target, error.why);
      throw error;
    }
  }
}

const plainTextHeaders = { 'content-type': 'text/plain', connection: 'close' };

function dialUpstream(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, noDelay: true, allowHalfOpen: true });
    socket.setTimeout(connectMs, () => socket.destroy(new Error(`${host}:${port} does not answer`)));
    // Both stay: silence and errors end the connection later on as well.
    socket.on('error', reject);
    socket.once('connect', () => resolve(socket.setTimeout(egressIdleMs)));
  });
}

function toHttpStatus(error: unknown): number {
  if (error instanceof EgressRefused) return 403;
  return error instanceof PwpError && error.code === 'bad-target' ? 400 : 502;
}

function explainRefusal(error: unknown): string {
  return `pwp: ${describeError(error)}\n`;
}

/** Headers that are about one connection, not about the message: RFC 9110, 7.6.1. */
const connectionHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host'],
]);

interface ProxyUpstream {
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
async function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  route: ProxyUpstream,
): Promise<void> {
  const { address: host, port, path, signal } = route;
  const headers: Record<string, string | string[]> = {
    ...pickEndToEndHeaders(request),
    host: route.authority,
  };
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
  const { method = 'GET' } = request;
  const { request: send } = process.getBuiltinModule('node:http');
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
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, pickEndToEndHeaders(answer));
  await pipeline(answer, response);
}

function pickEndToEndHeaders(message: IncomingMessage): Record<string, string[]> {
  const named = new Set(
    (message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()),
  );
  const all = Object.entries(message.headersDistinct);
  const kept = all.filter(([name]) => !connectionHeaders.has(name) && !named.has(name));
  return Object.fromEntries(kept.map(([name, values]) => [name, values ?? []]));
}
