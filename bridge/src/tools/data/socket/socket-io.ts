import { toolError } from '../../../../protocol/index.ts';

/** What a packet of the server means. */
export type Packet =
  | { readonly kind: 'open' | 'close' | 'joined' | 'other' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'reply'; readonly send: string }
  | { readonly kind: 'event'; readonly event: string; readonly args: readonly unknown[] };

/**
 * Socket.IO's protocol, version 5, on Engine.IO's, version 4 (https://socket.io/docs/v4/socket-io-protocol/), as far as
 * text over WebSocket needs it.
 */
export class SocketIo {
  readonly #namespace: string;

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

  #message(text: string): Packet {
    const [type] = text;
    // Optional: the namespace up to a comma, then the number that an acknowledgement would bear.
    const [, namespace = '/', rest = ''] = /^.(?:(\/[^,]*),)?\d*(.*)$/s.exec(text) ?? [];
    if (namespace !== this.#namespace) return { kind: 'other' };
    if (type === '0') return { kind: 'joined' };
    if (type === '1') return { kind: 'close' };
    if (type === '4') return { kind: 'refused', why: rest.slice(0, 500) };
    const [event, ...args] = type === '2' ? listOf(rest) : [];
    return typeof event === 'string' ? { kind: 'event', event, args } : { kind: 'other' };
  }

  get #prefix(): string {
    return this.#namespace === '/' ? '' : `${this.#namespace},`;
  }
}

function listOf(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
