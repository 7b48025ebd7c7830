import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pause } from '../../../../bridge/lib/index.ts';

/** The longest wait for answers under way, in milliseconds. */
const answerMs = 2000;

/**
 * Detects from a client's requests when it has gone. HTTP has no end of a connection, but most clients keep a stream open
 * for the server's messages, which closes with them. A client that never opened one never counts as gone.
 */
export class Presence implements Disposable {
  readonly #onGone: () => void;
  readonly #graceMs: number;
  readonly #open = new Map<ServerResponse, 'stream' | 'answer'>();
  #hadStream = false;
  #absence: AbortController | undefined;

  /** @param graceMs milliseconds that a client may be without a request: one that lost its stream reopens it */
  constructor(onGone: () => void, graceMs: number) {
    this.#onGone = onGone;
    this.#graceMs = graceMs;
  }

  /** Counts a request until its response has ended. */
  follow({ method }: IncomingMessage, response: ServerResponse): void {
    const kind = method === 'GET' ? 'stream' : 'answer';
    this.#absence?.abort();
    this.#open.set(response, kind);
    this.#hadStream ||= kind === 'stream';
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size === 0 && this.#hadStream) void this.#wait();
    });
  }

  /** Resolves when all requests are answered, or when that takes too long. */
  async answered(): Promise<void> {
    const answers = [...this.#open].filter(([, kind]) => kind === 'answer');
    const signal = AbortSignal.timeout(answerMs);
    await Promise.allSettled(answers.map(([response]) => once(response, 'close', { signal })));
  }

  [Symbol.dispose](): void {
    this.#hadStream = false;
    this.#absence?.abort();
  }

  async #wait(): Promise<void> {
    const absence = new AbortController();
    this.#absence = absence;
    await pause(this.#graceMs, absence.signal).then(this.#onGone, () => undefined);
  }
}
