import { once } from 'node:events';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { PwpError, raceSignal } from '../lib/index.ts';
import { limits } from '../protocol/index.ts';

const incoming = z.object({
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

/** For callers that must know whether a request that they gave up is still being worked on. */
export interface GivenUp {
  givenUp(): void;
  /** It was answered after all, or never will be. */
  over(): void;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * A client of the Chrome DevTools Protocol over one WebSocket, with flat sessions
 * (https://chromedevtools.github.io/devtools-protocol/).
 */
export class CdpConnection implements AsyncDisposable {
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, Pending>();
  #onEvent: ((event: CdpEvent) => void) | undefined;
  #nextId = 1;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#receive(data));
    socket.on('error', () => socket.terminate());
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        for (const pending of this.#pending.values()) pending.reject(connectionOver());
        this.#pending.clear();
        resolve();
      });
    });
  }

  /** @param url WebSocket address, from the browser's `/json/version` */
  static async open(url: string, signal: AbortSignal): Promise<CdpConnection> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: limits.messageBytes });
    const connection = new CdpConnection(socket);
    try {
      await raceSignal(once(socket, 'open'), signal);
    } catch (cause) {
      socket.terminate();
      throw new PwpError('cdp-connect-failed', "can't connect to the browser's debugging port", { cause });
    }
    return connection;
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
    late?: GivenUp,
  ): Promise<unknown> {
    if (this.#socket.readyState !== WebSocket.OPEN) throw connectionOver();
    const id = this.#nextId++;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ id, method, params, sessionId: session }));
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
    this.#socket.terminate();
    await this.closed;
  }

  /** A browser that talks nonsense is not spoken to any longer; it must not end this process. */
  #receive(data: Buffer): void {
    try {
      this.#onMessage(data.toString('utf8'));
    } catch {
      this.#socket.terminate();
    }
  }

  #onMessage(text: string): void {
    const message = incoming.parse(JSON.parse(text));
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

function connectionOver(): PwpError {
  return new PwpError('cdp-closed', "the connection to the browser's debugging port is over");
}
