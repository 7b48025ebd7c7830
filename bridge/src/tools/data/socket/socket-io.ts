import { toolError } from '../../../../protocol/index.ts';

/** What a packet of the server means. */
export type Packet =
  | { readonly kind: 'open' | 'close' | 'joined' | 'part' | 'other' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'reply'; readonly send: string }
  | { readonly kind: 'event'; readonly event: string; readonly args: readonly unknown[] };

/** An event whose bytes are still to come, each in a message of its own. */
interface Awaited {
  readonly namespace: string;
  readonly json: string;
  readonly count: number;
  readonly parts: string[];
}

/**
 * Socket.IO's protocol, version 5, on Engine.IO's, version 4 (https://socket.io/docs/v4/socket-io-protocol/), as far as
 * a client over WebSocket needs it that sends no bytes.
 */
export class SocketIo {
  readonly #namespace: string;
  #awaited: Awaited | undefined;

  constructor(namespace: string) {
    this.#namespace = namespace;
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

  /** Errors: `failed` for what is no packet. */
  read(text: string): Packet {
    const [type] = text;
    if (type === '0') return { kind: 'open' };
    if (type === '1') return { kind: 'close' };
    if (type === '2') return { kind: 'reply', send: `3${text.slice(1)}` };
    if (type === '4') return this.#message(text.slice(1));
    if (type === '3' || type === '6') return { kind: 'other' };
    throw toolError('failed', `the server does not speak Socket.IO: it sent ${text.slice(0, 100)}`);
  }

  /** A message of bytes: of an event it becomes `{"base64": …}` in its arguments. */
  readBytes(bytes: Buffer): Packet {
    const awaited = this.#awaited;
    if (!awaited) return { kind: 'other' };
    awaited.parts.push(bytes.toString('base64'));
    if (awaited.parts.length < awaited.count) return { kind: 'part' };
    this.#awaited = undefined;
    if (awaited.namespace !== this.#namespace) return { kind: 'other' };
    return eventOf(listOf(awaited.json).map((one) => filled(one, awaited.parts)));
  }

  #message(text: string): Packet {
    const [type] = text;
    // Optional: how many messages of bytes follow, the namespace up to a comma, then the number that an
    // acknowledgement would bear.
    const [, count, namespace = '/', rest = ''] = /^.(?:(\d+)-)?(?:(\/[^,]*),)?\d*(.*)$/s.exec(text) ?? [];
    if (type === '5' && Number(count) > 0) {
      this.#awaited = { namespace, json: rest, count: Number(count), parts: [] };
      return { kind: 'part' };
    }
    if (namespace !== this.#namespace) return { kind: 'other' };
    if (type === '0') return { kind: 'joined' };
    if (type === '1') return { kind: 'close' };
    if (type === '4') return { kind: 'refused', why: rest.slice(0, 500) };
    return type === '2' || type === '5' ? eventOf(listOf(rest)) : { kind: 'other' };
  }

  get #prefix(): string {
    return this.#namespace === '/' ? '' : `${this.#namespace},`;
  }
}

function eventOf([event, ...args]: readonly unknown[]): Packet {
  return typeof event === 'string' ? { kind: 'event', event, args } : { kind: 'other' };
}

/** A value with the bytes in it that were sent apart. */
function filled(value: unknown, parts: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => filled(one, parts));
  if (typeof value !== 'object' || value === null) return value;
  if ('_placeholder' in value && 'num' in value) return { base64: parts[Number(value.num)] ?? '' };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, parts)]));
}

function listOf(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
