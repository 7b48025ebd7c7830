import type { SoundHead, ToPage, ToServer, UpdateHead } from './messages.ts';

/** Milliseconds before the next try to connect. */
const reconnectMs = 1000;
/** Codes with which a server says that trying again is useless. */
const finalCloseCodes = new Set([1008, 4001]);

interface ConnectionListener {
  readonly onMessage: (message: ToPage) => void;
  /** @param bytes the pictures, one after the other */
  readonly onUpdate: (head: UpdateHead, bytes: Uint8Array<ArrayBuffer>) => void;
  readonly onSound: (head: SoundHead, bytes: Uint8Array<ArrayBuffer>) => void;
  readonly onOpen: () => void;
  /** @param reason why it is over; null if it reconnects */
  readonly onClosed: (reason: string | null) => void;
}

/** The connection to the server. It reconnects when it breaks. */
export class PageConnection {
  #socket: WebSocket | undefined;
  readonly #listener: ConnectionListener;
  #isOver = false;

  constructor(listener: ConnectionListener) {
    this.#listener = listener;
    this.#connect();
  }

  send(message: ToServer): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Closes the connection for good. */
  end(): void {
    this.#isOver = true;
    this.#socket?.close();
  }

  #connect(): void {
    const token = new URLSearchParams(location.search).get('token') ?? '';
    const address = `${location.origin.replace(/^http/, 'ws')}/live?token=${encodeURIComponent(token)}`;
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => this.#listener.onOpen());
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', ({ code, reason }) => {
      if (this.#isOver) return;
      const isFinal = finalCloseCodes.has(code);
      this.#listener.onClosed(isFinal ? reason : null);
      if (!isFinal) setTimeout(() => this.#connect(), reconnectMs);
    });
  }

  #receive(data: unknown): void {
    if (typeof data === 'string') this.#listener.onMessage(JSON.parse(data) as ToPage);
    else if (data instanceof ArrayBuffer) {
      const length = new DataView(data).getUint32(0);
      const head = new TextDecoder().decode(new Uint8Array(data, 4, length));
      const read = JSON.parse(head) as UpdateHead | SoundHead;
      const bytes = new Uint8Array(data, 4 + length);
      if ('rate' in read) this.#listener.onSound(read, bytes);
      else this.#listener.onUpdate(read, bytes);
    }
  }
}
