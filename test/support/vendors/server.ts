import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A played model's turn: it says something, or its server fails. */
export type Reply =
  | { readonly say: readonly Saying[]; readonly stop?: 'length' | 'refusal'; readonly cached?: number }
  | {
      readonly fail: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly text?: string;
      /** Replaces the error in the vendor's form. */
      readonly body?: unknown;
    }
  /** Any answer with status 200, also to a request for a stream. */
  | { readonly raw: unknown }
  /** Any stream, as text; with `open`, its connection stays open after it. */
  | { readonly stream: string; readonly open?: boolean }
  | { readonly fault: Fault };

/**
 * `hang`: never answers. `cut`: half of the answer, then the connection ends. `half`: half, as if it were all. Of a stream
 * also: `stall`: half of the events, then silence. `error`: an error in the middle. `garbage`: an event that is not JSON.
 */
export type Fault = 'hang' | 'cut' | 'half' | 'reset' | 'stall' | 'error' | 'garbage';

export type Saying =
  | { readonly text: string }
  | { readonly thinking: string }
  | { readonly call: string; readonly arguments: unknown }
  /** Arguments as text, which may not be JSON. */
  | { readonly call: string; readonly written: string }
  | { readonly computer: readonly Readonly<Record<string, unknown>>[]; readonly check?: string };

/** Why a request is refused, as by the real server. */
export class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Throws a {@link Refusal} of status 400. */
export function refuse(message: string): never {
  throw new Refusal(400, message);
}

export interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

/** How one vendor's server speaks. */
export interface Protocol {
  /** Checks a request as strictly as the real server does. Throws a {@link Refusal}. */
  check(seen: Seen): void;
  /** The answer to a request that is not a turn (a model's facts), or undefined if it is one. */
  facts(seen: Seen): object | undefined;
  turn(seen: Seen, reply: Extract<Reply, { say: unknown }>): object;
  /** The same, as events of a stream; null if the request does not ask for a stream. */
  events(seen: Seen, reply: Extract<Reply, { say: unknown }>): readonly string[] | null;
  /** An error in the middle of a stream. */
  errorEvent(message: string): string;
  error(status: number, message: string): object;
}

/** `JSON.stringify`'s output for half a surrogate pair. */
const halfCharacter = /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/;

/** Plays one vendor's server on the loopback, strictly: it refuses what the real one refuses. */
export class VendorServer implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #protocol: Protocol;
  readonly #replies: Reply[];

  private constructor(protocol: Protocol, replies: readonly Reply[]) {
    this.#protocol = protocol;
    this.#replies = [...replies];
  }

  /** @param replies one for each requested turn; a refused request takes none */
  static async start(protocol: Protocol, replies: readonly Reply[]): Promise<VendorServer> {
    const made = new VendorServer(protocol, replies);
    made.#server.listen(0, '127.0.0.1');
    await once(made.#server, 'listening');
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Replies that have not been requested yet. */
  get left(): number {
    return this.#replies.length;
  }

  /** Bodies of the requested turns, including refused ones. */
  get turns(): readonly unknown[] {
    return this.seen.filter(({ body }) => body !== null).map(({ body }) => body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await request.toArray()).join('');
    const seen: Seen = {
      path: (request.url ?? '').split('?')[0] ?? '',
      headers: request.headers,
      body: text === '' ? null : JSON.parse(text),
    };
    this.seen.push(seen);
    try {
      if (halfCharacter.test(text)) refuse('The request body is not valid JSON: no low surrogate in string');
      this.#protocol.check(seen);
      const facts = this.#protocol.facts(seen);
      if (facts) send(response, 200, JSON.stringify(facts));
      else this.#play(seen, response);
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      const message = error instanceof Error ? error.message : String(error);
      send(response, status, JSON.stringify(this.#protocol.error(status, message)));
    }
  }

  #play(seen: Seen, response: ServerResponse): void {
    const reply = this.#replies.shift();
    if (!reply) throw new Refusal(500, 'the test has no further reply');
    if ('fail' in reply) {
      const { fail, headers = {}, text = 'it fails', body } = reply;
      send(response, fail, JSON.stringify(body ?? this.#protocol.error(fail, text)), headers);
      return;
    }
    if ('raw' in reply) {
      send(response, 200, JSON.stringify(reply.raw));
      return;
    }
    if ('stream' in reply) {
      startStream(response);
      if (reply.open) response.write(reply.stream);
      else response.end(reply.stream);
      return;
    }
    if ('say' in reply) this.#say(seen, reply, response);
    else this.#fail(seen, reply.fault, response);
  }

  #say(seen: Seen, reply: Extract<Reply, { say: unknown }>, response: ServerResponse): void {
    const events = this.#protocol.events(seen, reply);
    if (!events) {
      send(response, 200, JSON.stringify(this.#protocol.turn(seen, reply)));
      return;
    }
    startStream(response);
    const bytes = Buffer.from(events.join(''));
    // Pieces of a connection may end anywhere, even within a character.
    const size = Math.ceil(bytes.length / 7);
    for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size));
    response.end();
  }

  #fail(seen: Seen, fault: Fault, response: ServerResponse): void {
    if (fault === 'hang') return;
    if (fault === 'reset') {
      response.destroy();
      return;
    }
    const reply = { say: [{ text: 'never whole' }] };
    const events = this.#protocol.events(seen, reply);
    if (!events) {
      const whole = JSON.stringify(this.#protocol.turn(seen, reply));
      const half = whole.slice(0, whole.length / 2);
      if (fault === 'half') {
        send(response, 200, half);
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
      response.write(half, () => response.destroy());
      return;
    }
    startStream(response);
    const first = events.slice(0, events.length / 2).join('');
    const cut = `${first}${events[Math.floor(events.length / 2)]?.slice(0, 20) ?? ''}`;
    if (fault === 'half') response.end(cut);
    if (fault === 'cut') response.write(cut, () => response.destroy());
    if (fault === 'stall') response.write(first);
    if (fault === 'error') response.end(`${first}${this.#protocol.errorEvent('it broke')}`);
    if (fault === 'garbage') response.end(`${first}data: {"half":\n\n${events.join('')}`);
  }
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function send(response: ServerResponse, status: number, body: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
