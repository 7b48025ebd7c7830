import { clip } from '../lib/index.ts';
import { protocolError } from './stream/index.ts';

/** What an untrusted peer may send without having been asked, in one period. */
const periodMs = 10_000;
const messages = 2000;
const characters = 4 * 1024 * 1024;
/** UTF-16 code units of one such message. */
const longest = 64 * 1024;
/** Requests that were given up and are not answered yet. */
const mostGivenUp = 4096;

/**
 * Bounds on a peer that may be hostile, e.g. one inside a sandbox: it answers each request once, and reports a little
 * beside. One that does more is disconnected.
 */
export class Guard {
  readonly #now: () => number;
  /** Ids of requests whose answers are no longer waited for. */
  readonly #givenUp = new Set<number>();
  #period = { began: -Infinity, messages: 0, characters: 0 };

  /** @param now milliseconds of a clock that never goes back */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Errors: `protocol-error` if the other side leaves too many unanswered. */
  giveUp(id: number): void {
    this.#givenUp.add(id);
    if (this.#givenUp.size > mostGivenUp) throw protocolError(`it left ${mostGivenUp} requests unanswered`);
  }

  /**
   * Before a message is read: nothing long may come where nothing was asked.
   * @param pending requests that are waited for
   */
  checkLength(length: number, pending: number): void {
    if (length <= longest || pending > 0 || this.#givenUp.size > 0) return;
    throw protocolError(`a message of ${length} characters that nobody asked for`);
  }

  /**
   * An answer.
   * @param expected somebody waited for it
   */
  answered(id: number | string | null, expected: boolean): void {
    const givenUp = typeof id === 'number' && this.#givenUp.delete(id);
    if (givenUp || expected) return;
    throw protocolError(`an answer to request ${clip(String(id), 100)}, which was not made`);
  }

  /** An event. */
  unasked(length: number): void {
    if (length > longest) throw protocolError(`an event of ${length} characters`);
    const now = this.#now();
    if (now - this.#period.began >= periodMs) this.#period = { began: now, messages: 0, characters: 0 };
    this.#period.messages += 1;
    this.#period.characters += length;
    if (this.#period.messages > messages || this.#period.characters > characters)
      throw protocolError('it reports more than anyone can read');
  }
}
