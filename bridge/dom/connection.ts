import * as z from 'zod';
import { PwpError, raceSignal } from '../lib/index.ts';
import type { CdpTransport } from './transport.ts';

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

/** For callers that must know whether the browser still works on a request that they gave up. */
export interface GivenUp {
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
      for (const pending of this.#pending.values()) pending.reject(connectionOver());
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
    late?: GivenUp,
  ): Promise<unknown> {
    if (!this.#transport.isOpen) throw connectionOver();
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
  return new PwpError('cdp-closed', 'the connection to the browser is over');
}
