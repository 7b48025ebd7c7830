import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { guardListener, PwpError, raceSignal } from '../lib/index.ts';
import { limits } from '../protocol/index.ts';

const cdpMessage = z.object({
  id: z.int().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  sessionId: z.string().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.int().optional(), message: z.string() }).optional(),
});

/** One event of the debugging protocol. */
export interface CdpEvent {
  readonly method: string;
  readonly params: unknown;
  readonly session: string | undefined;
}

/** For callers that must know whether the browser still works on a request that they gave up. */
interface CancelListener {
  givenUp(): void;
  /** It was answered after all, or its connection is closed. */
  over(): void;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * A client of the Chrome DevTools Protocol over one transport, with flat sessions
 * (https://chromedevtools.github.io/devtools-protocol/).
 */
export class CdpConnection implements AsyncDisposable {
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  readonly #transport: CdpTransport;
  readonly #pending = new Map<number, Pending>();
  #onEvent: ((event: CdpEvent) => void) | undefined;
  #nextId = 1;

  constructor(transport: CdpTransport) {
    this.#transport = transport;
    transport.onMessage((text) => this.#receive(text));
    this.closed = transport.closed.then(() => {
      for (const pending of this.#pending.values()) pending.reject(createClosedCdpError());
      this.#pending.clear();
    });
  }

  /** Sets the one listener. The browser sends only the events that were requested. */
  onEvent(listener: (event: CdpEvent) => void): void {
    this.#onEvent = listener;
  }

  /** Rejects with `cdp-error` when the browser refuses, `cdp-closed` when the connection ends. */
  async send(
    method: string,
    params: object,
    session: string | undefined,
    signal: AbortSignal,
    late?: CancelListener,
  ): Promise<unknown> {
    if (!this.#transport.isOpen) throw createClosedCdpError();
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#transport.send(JSON.stringify({ id, method, params, sessionId: session }));
    try {
      return await raceSignal(answer, signal);
    } catch (error) {
      if (late && this.#pending.delete(id)) {
        late.givenUp();
        this.#pending.set(id, { resolve: () => late.over(), reject: () => late.over() });
      }
      throw error;
    } finally {
      if (!late) this.#pending.delete(id);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#transport.close();
    await this.closed;
  }

  /** A message that can't be read ends the connection, not this process. */
  #receive(text: string): void {
    try {
      this.#onMessage(text);
    } catch {
      this.#transport.close();
    }
  }

  #onMessage(text: string): void {
    const message = cdpMessage.parse(JSON.parse(text));
    if (message.id === undefined) {
      if (message.method === undefined) return;
      this.#onEvent?.({ method: message.method, params: message.params, session: message.sessionId });
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error) pending?.reject(new PwpError('cdp-error', message.error.message));
    else pending?.resolve(message.result);
  }
}

function createClosedCdpError(): PwpError {
  return new PwpError('cdp-closed', 'the connection to the browser is over');
}

/** Carries messages of the debugging protocol, each of them a text. */
interface CdpTransport {
  readonly isOpen: boolean;
  /** Resolves when it is over. */
  readonly closed: Promise<void>;
  send(text: string): void;
  /** Sets the one listener. */
  onMessage(listener: (text: string) => void): void;
  close(): void;
}

/** Connects by WebSocket. Errors: `cdp-closed`. */
export async function openWebSocket(url: string, signal: AbortSignal): Promise<CdpTransport> {
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: limits.messageBytes });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => socket.terminate());
  try {
    await raceSignal(once(socket, 'open'), signal);
  } catch (cause) {
    socket.terminate();
    throw new PwpError('cdp-closed', "can't connect to the browser's debugging port", { cause });
  }
  return {
    get isOpen() {
      return socket.readyState === WebSocket.OPEN;
    },
    closed,
    send: (text) => socket.send(text),
    onMessage(listener) {
      const receive = guardListener(
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
    const receive = guardListener(
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
