import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PwpError, httpDoor, messageOf } from '../../../bridge/lib/index.ts';
import { idleMs, maxConnections, type Egress } from './egress.ts';
import { forward } from './forward.ts';
import { Refused, type EgressPolicy } from './egress-policy.ts';
import { Refusals } from './refusals.ts';
import { connectTarget, requestTarget, type Target } from './target.ts';

/** To reach a server, in milliseconds. */
const connectMs = 15_000;

/** The forward proxy of one sandbox: HTTP/1.1 with full addresses, and CONNECT. */
export class Proxy implements Egress {
  readonly refusals = new Refusals();
  readonly #policy: EgressPolicy;
  readonly #web = httpDoor({
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
    if (this.#over.signal.aborted || this.#clients.size >= maxConnections) {
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
      const target = requestTarget(request.url ?? '');
      const address = await this.#admit(target);
      await forward(request, response, { ...target, address, idleMs, signal: this.#over.signal });
    } catch (error) {
      // An answer that broke off must not look whole.
      if (response.headersSent) response.destroy();
      else response.writeHead(statusOf(error), plainText).end(explain(error));
    }
  }

  async #tunnel({ url = '' }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    try {
      const target = connectTarget(url);
      const upstream = await dial(await this.#admit(target), target.port, this.#over.signal);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      // It rejects when either side breaks off; both are ended then, and no one is left to report to.
      await pipeline(client, upstream, client).catch(() => undefined);
    } catch (error) {
      const text = explain(error);
      const headers = `Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close`;
      // The rest is read and dropped, so that the connection's end is noticed.
      client.resume().end(`HTTP/1.1 ${statusOf(error)} Refused\r\n${headers}\r\n\r\n${text}`);
    }
  }

  async #admit(target: Target): Promise<string> {
    try {
      return await this.#policy.admit(target);
    } catch (error) {
      if (error instanceof Refused) this.refusals.add(target, error.why);
      throw error;
    }
  }
}

const plainText = { 'content-type': 'text/plain', connection: 'close' };

function dial(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, noDelay: true, allowHalfOpen: true });
    socket.setTimeout(connectMs, () => socket.destroy(new Error(`${host}:${port} does not answer`)));
    // Both stay: silence and errors end the connection later on as well.
    socket.on('error', reject);
    socket.once('connect', () => resolve(socket.setTimeout(idleMs)));
  });
}

function statusOf(error: unknown): number {
  if (error instanceof Refused) return 403;
  return error instanceof PwpError && error.code === 'bad-target' ? 400 : 502;
}

function explain(error: unknown): string {
  return `pwp: ${messageOf(error)}\n`;
}
