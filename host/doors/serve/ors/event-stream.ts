import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { deadline, isTimeout, raceSignal } from '../../../../bridge/lib/index.ts';
import { clip } from '../../../../bridge/text/index.ts';

/** Milliseconds between signs of life: clients of ORS give up on a stream that is silent for 30 s. */
const heartbeatMs = 10_000;
/** The longest piece of a result, in UTF-16 code units. Clients read lines of 128 KiB at most. */
const longestPiece = 16 * 1024;

/** Sends server-sent events to one client. Its methods wait for a slow reader; they reject when it has gone. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #signal: AbortSignal;

  constructor(response: ServerResponse, signal: AbortSignal) {
    this.#response = response;
    this.#signal = signal;
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  }

  /** @param data one line */
  send(event: string, data: string): Promise<void> {
    return this.#write(`event: ${event}\ndata: ${data}\n\n`);
  }

  /** Sends a JSON text in pieces: `chunk`, and `end` for the last one. */
  async sendPieces(json: string): Promise<void> {
    const pieces = cutPieces(json);
    for (const [at, piece] of pieces.entries())
      await this.send(at === pieces.length - 1 ? 'end' : 'chunk', piece);
  }

  /** Waits for a result, which the client sees is under way. */
  async wait<T>(result: Promise<T>): Promise<T> {
    for (;;) {
      using beat = deadline('the next sign of life', heartbeatMs, this.#signal);
      try {
        return await raceSignal(result, beat.signal);
      } catch (error) {
        if (this.#signal.aborted || !beat.signal.aborted || !isTimeout(error)) throw error;
        await this.#write(': at work\n\n');
      }
    }
  }

  end(): void {
    this.#response.end();
  }

  async #write(text: string): Promise<void> {
    this.#signal.throwIfAborted();
    if (!this.#response.write(text)) await once(this.#response, 'drain', { signal: this.#signal });
  }
}

/** What Python's `str.lstrip` removes. */
const leadingSpace = /^[\s\u001c-\u001f\u0085]/u;

/**
 * Cuts a JSON text so that its pieces can be lines. Clients strip the beginning of each line: a piece that begins with
 * space, which is inside of a text, begins with its escape.
 */
export function cutPieces(json: string, longest: number = longestPiece): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < json.length;) {
    const piece = clip(json.slice(at, at + longest + 1), longest);
    at += piece.length;
    pieces.push(piece.replace(leadingSpace, escapeCharacter));
  }
  return pieces;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
