import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type * as z from 'zod';
import { deadline, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { toJson, wellFormed } from '../../../bridge/text/index.ts';
import { isErrorAnswer } from './server-refusal.ts';
import { readObjectFields } from './token-usage.ts';

/** Joins the events of a streamed answer into the answer that its vendor gives whole. One instance, one answer. */
export interface AnswerJoiner {
  /** Takes what one event says: JSON, or the text `[DONE]`. */
  add(event: unknown): void;
  /** The answer as far as it has come. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** `whole`: counts may follow, and nothing else. `done`: nothing follows. */
  readonly state: 'open' | 'whole' | 'done';
}

/** Longest answer that is read, in bytes. */
const mostAnswerBytes = 64 * 1024 * 1024;
/** Longest wait for the end of the connection after the last event, in milliseconds. Then it can be used again. */
const connectionEndMs = 1000;

/** Reads the body of an answer, streamed or whole: servers that are asked for a stream may not give one. */
export class AnswerReader {
  readonly #joiner: AnswerJoiner | undefined;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({ onEvent: (event) => this.#onEvent(event) });
  #text = '';
  #bytes = 0;
  #isStream = false;
  #error: unknown;

  /** @param joiner default: the answer is not a stream */
  constructor(joiner?: AnswerJoiner) {
    this.#joiner = joiner;
  }

  /** The answer so far: JSON of the joined answer, or the server's text. */
  get text(): string {
    if (!this.#isStream) return this.#text;
    const error = this.#error === undefined ? {} : { error: this.#error };
    return toJson({ ...this.#joiner?.answer, ...error });
  }

  /**
   * Reads all of it. Errors: `timeout` where the server is silent for longer than `idleMs`; `model-answer` where it sends
   * an error, or ends before the answer is whole.
   */
  async read(body: ReadableStream<Uint8Array>, idleMs: number): Promise<void> {
    const reader = body.getReader();
    try {
      for (;;) {
        const isDone = this.#joiner?.state === 'done';
        const { done, value } = await waitInTime(
          'the next part of the answer',
          isDone ? connectionEndMs : idleMs,
          () => reader.read(),
        );
        if (done) break;
        this.#take(value);
      }
      // The last event may lack the empty line that ends it.
      this.#feed(`${this.#decoder.decode()}\n\n`);
    } catch (error) {
      if (this.#error !== undefined || !this.#isWhole()) throw error;
    } finally {
      void reader.cancel().catch(() => undefined);
    }
    if (this.#isStream && !this.#isWhole())
      throw new PwpError('model-answer', 'the answer ended before its last event');
  }

  #isWhole(): boolean {
    return this.#isStream && this.#joiner !== undefined && this.#joiner.state !== 'open';
  }

  #take(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > mostAnswerBytes)
      throw new PwpError('model-answer', `the answer is longer than ${mostAnswerBytes} bytes`);
    this.#feed(this.#decoder.decode(piece, { stream: true }));
  }

  #feed(text: string): void {
    if (!this.#isStream) this.#text += text;
    if (this.#joiner) this.#parser.feed(text);
  }

  #onEvent({ event: name, data }: EventSourceMessage): void {
    if (this.#joiner?.state === 'done' || data.trim() === '') return;
    this.#isStream = true;
    const said = parseStreamEvent(data, name);
    if (name === 'error' || isErrorAnswer(said)) {
      this.#error = readObjectFields(said)['error'] ?? said;
      throw new PwpError('model-answer', 'the server sent an error in its answer');
    }
    this.#joiner?.add(said);
  }
}

/** Without a check for half characters: one that was cut in two is whole again once the events are joined. */
function parseStreamEvent(data: string, name: string | undefined): unknown {
  if (data.trim() === '[DONE]') return '[DONE]';
  try {
    return JSON.parse(data);
  } catch (cause) {
    if (name === 'error') return data;
    throw new PwpError('model-answer', 'an event of the answer is not JSON', { cause });
  }
}

/** Errors: `timeout`. */
export async function waitInTime<T>(what: string, ms: number, wait: () => Promise<T>): Promise<T> {
  using limit = deadline(what, ms);
  return await raceSignal(wait(), limit.signal);
}

/**
 * Checks an answer of a server before it is used. Errors: `model-answer`, with the field that does not fit.
 * @param what the expected kind of answer, for the error
 */
export function checkAnswer<T>(schema: z.ZodType<T>, answer: unknown, what: string): T {
  const read = schema.safeParse(wellFormed(answer));
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const where =
    first && first.path.length > 0 ? ` (${first.path.map(String).join('.')}: ${first.message})` : '';
  throw new PwpError('model-answer', `the answer is not a valid ${what}${where}`);
}
