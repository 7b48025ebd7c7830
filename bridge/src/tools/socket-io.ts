import { Decoder, type Packet as Message, PacketType } from 'socket.io-parser';
import { describeError } from '../../lib/index.ts';
import { toolError } from '../../protocol/index.ts';
import { clip } from '../../text/index.ts';

/** The meaning of a packet of the server. */
export type SocketIoPacket =
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
  read(text: string): SocketIoPacket {
    const [type] = text;
    if (type === '0') return { kind: 'open' };
    if (type === '1') return { kind: 'close' };
    if (type === '2') return { kind: 'reply', send: `3${text.slice(1)}` };
    if (type === '4') return this.#decode(text.slice(1));
    if (type === '3' || type === '6') return { kind: 'other' };
    throw createNotSocketIoError(text);
  }

  /** A binary message: it becomes `{"base64": …}` in an event's arguments. Errors: `failed` if none is expected. */
  readBytes(bytes: Buffer): SocketIoPacket {
    return this.#decode(bytes);
  }

  #decode(part: string | Buffer): SocketIoPacket {
    this.#decoded = undefined;
    try {
      this.#decoder.add(part);
    } catch (cause) {
      throw createNotSocketIoError(part.toString('utf8'), cause);
    }
    return this.#decoded ? this.#meaning(this.#decoded) : { kind: 'part' };
  }

  #meaning({ type, nsp, data }: Message): SocketIoPacket {
    if (nsp !== this.#namespace) return { kind: 'other' };
    if (type === PacketType.CONNECT) return { kind: 'joined' };
    if (type === PacketType.DISCONNECT) return { kind: 'close' };
    if (type === PacketType.CONNECT_ERROR) return { kind: 'refused', why: clip(JSON.stringify(data), 500) };
    if (type !== PacketType.EVENT || !Array.isArray(data)) return { kind: 'other' };
    const [event, ...args] = data as unknown[];
    return typeof event === 'string'
      ? { kind: 'event', event, args: args.map(attachText) }
      : { kind: 'other' };
  }

  get #prefix(): string {
    return this.#namespace === '/' ? '' : `${this.#namespace},`;
  }
}

function attachText(value: unknown): unknown {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(attachText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, attachText(one)]));
}

function createNotSocketIoError(sent: string, cause?: unknown): Error {
  const why = cause === undefined ? '' : ` (${describeError(cause)})`;
  return toolError('failed', `the server does not speak Socket.IO${why}: it sent ${clip(sent, 100)}`, {
    cause,
  });
}
