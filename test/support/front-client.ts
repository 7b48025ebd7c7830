import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Server } from '../../host/doors/serve/index.ts';

/** An answer of a server. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  /** The text, if it is JSON. */
  readonly json: Record<string, unknown>;
  readonly headers: Headers;
}

type Headers_ = Readonly<Record<string, string>>;

/** What the owners' clients send to a server of episodes. */
export class FrontClient {
  readonly #server: Pick<Server, 'origin' | 'token'>;

  constructor(server: Pick<Server, 'origin' | 'token'>) {
    this.#server = server;
  }

  async ask(method: string, path: string, body?: unknown, headers: Headers_ = {}): Promise<Answered> {
    const { origin, token } = this.#server;
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    const json = isJson ? (JSON.parse(text) as Answered['json']) : {};
    return { status: response.status, text, json, headers: response.headers };
  }

  /** The id of a new episode, or the status of the refusal. */
  async open(headers: Headers_ = {}): Promise<string> {
    const { json, status } = await this.ask('POST', '/episodes', { task: 'first', picture: 'none' }, headers);
    return typeof json.episode === 'string' ? json.episode : String(status);
  }

  step(episode: string, more: object = {}): Promise<Answered> {
    return this.ask('POST', `/episodes/${episode}/step`, { actions: ['xdotool key a'], ...more });
  }

  /** The id of a new session of ORS, whose episode begins. */
  async createOrs(): Promise<string> {
    const { text } = await this.ask('POST', '/create_session', {});
    const sid = /^data: (\S+)$/m.exec(text)?.[1] ?? '';
    const { status } = await this.ors('POST', '/create', sid, { split: 'train', index: 0, env_name: 'pwp' });
    return status === 200 ? sid : String(status);
  }

  ors(method: string, path: string, sid: string, body?: unknown): Promise<Answered> {
    return this.ask(method, path, body, { 'X-Session-ID': sid });
  }

  callOrs(sid: string): Promise<Answered> {
    return this.ors('POST', '/pwp/call', sid, { name: 'act', input: { actions: ['xdotool key a'] } });
  }

  /** As NeMo Gym's servers are asked: the session is in a cookie. */
  nemo(path: string, body: object, cookie = ''): Promise<Answered> {
    return this.ask('POST', path, { responses_create_params: { input: [] }, ...body }, { cookie });
  }

  /** As clients do that have no place for a token, or for a session, but in the address. */
  asUser(user: string): Headers_ {
    return { Authorization: `Basic ${Buffer.from(`${user}:${this.#server.token}`).toString('base64')}` };
  }

  async connect(path: string, headers: Headers_ = {}): Promise<FrontSocket> {
    const { origin, token } = this.#server;
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    });
    const open = new FrontSocket(socket);
    await once(socket, 'open');
    return open;
  }
}

/** The name of a cookie and its value, as the client sends it back. */
export function cookieOf({ headers }: Answered): string {
  return headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

/** A WebSocket that answers each message with one. */
export class FrontSocket implements Disposable {
  readonly socket: WebSocket;
  /** The code and reason with which the other side closed it. */
  readonly closed: Promise<string>;
  readonly #answers: Record<string, unknown>[] = [];
  #wake = Promise.withResolvers<void>();

  constructor(socket: WebSocket) {
    this.socket = socket;
    this.closed = once(socket, 'close').then(([code, reason]) => `${code} ${String(reason)}`);
    socket.on('message', (data: Buffer) => {
      this.#answers.push(JSON.parse(data.toString()) as Record<string, unknown>);
      this.#wake.resolve();
    });
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** The next answer. */
  async next(): Promise<Record<string, unknown>> {
    for (;;) {
      const answer = this.#answers.shift();
      if (answer) return answer;
      this.#wake = Promise.withResolvers<void>();
      await this.#wake.promise;
    }
  }

  ask(message: object): Promise<Record<string, unknown>> {
    this.send(message);
    return this.next();
  }

  [Symbol.dispose](): void {
    this.socket.terminate();
  }
}
