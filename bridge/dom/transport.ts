import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import { PwpError, guarded, raceSignal } from '../lib/index.ts';
import { limits } from '../protocol/index.ts';

/** Carries messages of the debugging protocol, each of them a text. */
export interface CdpTransport {
  readonly isOpen: boolean;
  /** Resolves when it is over. */
  readonly closed: Promise<void>;
  send(text: string): void;
  /** Sets the one listener. */
  onMessage(listener: (text: string) => void): void;
  close(): void;
}

/** Connects by WebSocket. Errors: `cdp-connect-failed`. */
export async function openWebSocket(url: string, signal: AbortSignal): Promise<CdpTransport> {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: limits.messageBytes });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => socket.terminate());
  try {
    await raceSignal(once(socket, 'open'), signal);
  } catch (cause) {
    socket.terminate();
    throw new PwpError('cdp-connect-failed', "can't connect to the browser's debugging port", { cause });
  }
  return {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    closed,
    send: (text) => socket.send(text),
    onMessage(listener) {
      const receive = guarded(
        (data: Buffer) => listener(data.toString('utf8')),
        () => socket.terminate(),
      );
      socket.on('message', receive);
    },
    close: () => socket.terminate(),
  };
}

/** Uses the two pipes of `--remote-debugging-pipe`, which no other process can open. A zero byte ends each message. */
export class PipeTransport implements CdpTransport {
  readonly closed: Promise<void>;
  readonly #to: Writable;
  readonly #from: Readable;
  #listener: ((text: string) => void) | undefined;
  #begun: Buffer[] = [];
  #bytes = 0;

  constructor(to: Writable, from: Readable) {
    this.#to = to;
    this.#from = from;
    to.on('error', () => this.close());
    from.on('error', () => this.close());
    const receive = guarded(
      (data: Buffer) => this.#receive(data),
      () => this.close(),
    );
    from.on('data', receive);
    this.closed = new Promise((resolve) => from.once('close', () => resolve()));
    from.once('end', () => this.close());
  }

  get isOpen(): boolean {
    return !this.#from.destroyed && !this.#to.destroyed;
  }

  send(text: string): void {
    this.#to.write(`${text}\0`);
  }

  onMessage(listener: (text: string) => void): void {
    this.#listener = listener;
  }

  close(): void {
    this.#to.destroy();
    this.#from.destroy();
  }

  #receive(data: Buffer): void {
    let rest = data;
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      const text = Buffer.concat([...this.#begun, rest.subarray(0, end)]).toString('utf8');
      this.#begun = [];
      this.#bytes = 0;
      rest = rest.subarray(end + 1);
      this.#listener?.(text);
    }
    if (rest.length === 0) return;
    this.#begun.push(rest);
    this.#bytes += rest.length;
    if (this.#bytes > limits.messageBytes) this.close();
  }
}
