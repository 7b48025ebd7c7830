import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { deadline, describeError, PwpError, readBounded } from '../../../../bridge/lib/index.ts';
import { tryParseJson } from '../../../../bridge/text/index.ts';
import type { EpisodeWorker } from '../../../run/index.ts';

/** What a front sends to a worker. */
export interface PassedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Names and values by turns, without those of the connection and of access. */
  readonly headers: readonly string[];
  /** The name in the address, which chooses a session for some clients. */
  readonly user: string;
  readonly body?: Buffer | undefined;
}

/** The longest that a worker may take to say how it is, in milliseconds. */
const healthMs = 3000;
/** Within these milliseconds, a session that is given to a worker has arrived there. */
const arrivalMs = 100;
/** The largest message from a worker, in bytes: of a fork, which has a picture of each. */
const mostMessageBytes = 256 * 1024 * 1024;

const workerHealth = z.object({
  worker: z.string(),
  episodes: z.int().nonnegative(),
  capacity: z.int().nonnegative(),
});

/** Episodes of a worker. */
export interface WorkerRoom {
  readonly episodes: number;
  readonly capacity: number;
}

/** The connections of a front to one worker. */
export class WorkerLink implements Disposable {
  readonly worker: EpisodeWorker;
  readonly #gone = new AbortController();
  readonly #tls: object;
  readonly #agent: Agent;
  #room: WorkerRoom = { episodes: 0, capacity: 0 };
  /** When sessions were given to it that its newest answer may not count yet. */
  #given: number[] = [];
  #failures = 0;
  #checking: Promise<void> | undefined;

  constructor(worker: EpisodeWorker) {
    this.worker = worker;
    const { certificate } = worker;
    // The certificate itself is trusted, for any name.
    this.#tls = certificate === null ? {} : { ca: certificate, ...pinned };
    this.#agent = new (readHttp(worker).Agent)({ keepAlive: true, ...this.#tls });
  }

  get id(): string {
    return this.worker.id;
  }

  /** Fires when the worker is given up; its reason says why. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Whether it has ever answered as the worker that it says it is. */
  get isKnown(): boolean {
    return this.#room.capacity > 0;
  }

  /** Checks in a row that failed. */
  get failures(): number {
    return this.#failures;
  }

  get room(): WorkerRoom {
    return this.#room;
  }

  /** Episodes that are open, or about to begin; for a moment, one can count twice. */
  get taken(): number {
    return Math.min(this.#room.capacity, this.#room.episodes + this.#given.length);
  }

  /** Counts a session that is about to begin there. */
  give(): void {
    this.#given.push(performance.now());
  }

  /** Asks the worker how it is. Gives it up if another program has its address, or none. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  /** As {@link check}, with an answer from now on. */
  async checkAgain(): Promise<void> {
    await this.#checking;
    await this.check();
  }

  async #check(): Promise<void> {
    const start = performance.now();
    using limit = deadline(`the answer of ${this.worker.name}`, healthMs, this.gone);
    try {
      const reply = await this.ask({ method: 'GET', path: '/health', headers: [], user: '' }, limit.signal);
      const text = (await readBounded(reply, 64 * 1024))?.toString('utf8') ?? '';
      const health = workerHealth.safeParse(tryParseJson(text)).data;
      if (health?.worker !== this.id) return this.lose('another program has its address');
      this.#room = { episodes: health.episodes, capacity: health.capacity };
      this.#given = this.#given.filter((at) => at > start - arrivalMs);
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED') this.lose('it has ended');
      else if (typeof code === 'string' && /CERT|TLS|SSL|UNABLE_TO/.test(code))
        this.lose(describeError(error));
    }
  }

  /** @param why as in `the worker gpu3:4242 is gone: it has ended` */
  lose(why: string): void {
    this.#gone.abort(new PwpError('no-such-episode', `the worker ${this.worker.name} is gone: ${why}`));
    this.#agent.destroy();
  }

  /** Sends a request. Rejects if the connection breaks before there is an answer. */
  async ask(passed: PassedRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const { request, replied } = this.#send(passed, signal);
    try {
      return await replied;
    } catch (error) {
      // A worker ends connections that were not used for a while, just now as well: then it has not read the request.
      if (!request.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
      return await this.#send(passed, signal).replied;
    }
  }

  /** Connects a WebSocket, which is not open yet. */
  connect({ path, headers, user }: PassedRequest): WebSocket {
    const address = new URL(path, this.worker.url.replace(/^http/, 'ws'));
    return new WebSocket(address, {
      ...{ headers: { ...toObject(headers), authorization: this.#authorize(user) }, ...this.#tls },
      ...{ perMessageDeflate: false, maxPayload: mostMessageBytes, handshakeTimeout: healthMs },
    });
  }

  [Symbol.dispose](): void {
    this.lose('the front has ended');
  }

  #send({ method, path, headers, user, body }: PassedRequest, signal: AbortSignal) {
    const replied = Promise.withResolvers<IncomingMessage>();
    const all = [...headers, 'Authorization', this.#authorize(user), 'Host', new URL(this.worker.url).host];
    const request: ClientRequest = readHttp(this.worker).request(new URL(path, this.worker.url), {
      ...{ method, agent: this.#agent, signal },
      headers: body ? [...all, 'Content-Length', String(body.length)] : all,
    });
    request.once('response', (reply) => replied.resolve(reply));
    request.on('error', (error) => replied.reject(error));
    request.end(body);
    return { request, replied: replied.promise };
  }

  #authorize(user: string): string {
    const { token } = this.worker;
    return user === '' ? `Bearer ${token}` : `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
  }
}

const pinned = { allowPartialTrustChain: true, checkServerIdentity: () => undefined } as const;

/** Not imported: an import reads each of the module's exports, of which one loads all of `fetch`. */
function readHttp({ url }: EpisodeWorker) {
  return process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http');
}

function toObject(headers: readonly string[]): Record<string, string> {
  const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as const] : []));
  return Object.fromEntries(pairs);
}
