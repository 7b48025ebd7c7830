import { Decoder, PacketType, type Packet as Message } from 'socket.io-parser';
import { messageOf, clip } from '../../../../lib/index.ts';
import { toolError } from '../../../../protocol/index.ts';

/** The meaning of a packet of the server. */
export type Packet =
  | { readonly kind: 'open' | 'close' | 'joined' | 'part' | 'other' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'reply'; readonly send: string }
  | { readonly kind: 'event'; readonly event: string; readonly args: readonly unknown[] };

/** Maximum number of buffers of one event. */
const maxAttachments = 1000;

/**
 * A client of Socket.IO's protocol, version 5, on Engine.IO's, version 4 (https://socket.io/docs/v4/engine-io-protocol/),
 * over a WebSocket that its caller owns and limits. It sends no binary data.
 */
export class SocketIo {
  readonly #namespace: string;
  readonly #decoder = new Decoder({ maxAttachments });
  #decoded: Message | undefined;

  constructor(namespace: string) {
    this.#namespace = namespace;
    this.#decoder.on('decoded', (message) => (this.#decoded = message));
  }

  /** The WebSocket address of a server; a path in the address is where the server listens. */
  static address(given: string): string {
    const url = new URL(given);
    url.protocol = url.protocol.replace('http', 'ws');
    if (url.pathname === '/') url.pathname = '/socket.io/';
    url.searchParams.set('EIO', '4');
    url.searchParams.set('transport', 'websocket');
    return url.href;
  }

  /** Sent when the server has opened the connection. */
  get join(): string {
    return `40${this.#prefix}`;
  }

  event(name: string, args: readonly unknown[]): string {
    return `42${this.#prefix}${JSON.stringify([name, ...args])}`;
  }

  /** Errors: `failed` for a malformed packet. */
  read(text: string): Packet {
    const [type] = text;
    if (type === '0') return { kind: 'open' };
    if (type === '1') return { kind: 'close' };
    if (type === '2') return { kind: 'reply', send: `3${text.slice(1)}` };
    if (type === '4') return this.#decode(text.slice(1));
    if (type === '3' || type === '6') return { kind: 'other' };
    throw notSocketIo(text);
  }

  /** A binary message: it becomes `{"base64": …}` in an event's arguments. Errors: `failed` if none is expected. */
  readBytes(bytes: Buffer): Packet {
    return this.#decode(bytes);
  }

  #decode(part: string | Buffer): Packet {
    this.#decoded = undefined;
    try {
      this.#decoder.add(part);
    } catch (cause) {
      throw notSocketIo(part.toString('utf8'), cause);
    }
    return this.#decoded ? this.#meaning(this.#decoded) : { kind: 'part' };
  }

  #meaning({ type, nsp, data }: Message): Packet {
    if (nsp !== this.#namespace) return { kind: 'other' };
    if (type === PacketType.CONNECT) return { kind: 'joined' };
    if (type === PacketType.DISCONNECT) return { kind: 'close' };
    if (type === PacketType.CONNECT_ERROR) return { kind: 'refused', why: clip(JSON.stringify(data), 500) };
    if (type !== PacketType.EVENT || !Array.isArray(data)) return { kind: 'other' };
    const [event, ...args] = data as unknown[];
    return typeof event === 'string' ? { kind: 'event', event, args: args.map(withText) } : { kind: 'other' };
  }

  get #prefix(): string {
    return this.#namespace === '/' ? '' : `${this.#namespace},`;
  }
}

function withText(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(withText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withText(one)]));
}

function notSocketIo(sent: string, cause?: unknown): Error {
  const why = cause === undefined ? '' : ` (${messageOf(cause)})`;
  return toolError('failed', `the server does not speak Socket.IO${why}: it sent ${clip(sent, 100)}`, {
    cause,
  });
}
