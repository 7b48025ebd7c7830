import { clip } from '../lib/index.ts';
import { protocolError } from './stream/index.ts';

/** Limits on unrequested messages of an untrusted peer, for one period. */
const periodMs = 10_000;
const messages = 2000;
const characters = 4 * 1024 * 1024;
/** UTF-16 code units of one such message. */
const longest = 64 * 1024;
/** Requests that were given up and are not answered yet. */
const mostGivenUp = 4096;

/**
 * Bounds on a peer that may be hostile, e.g. one inside a sandbox: it answers each request once, and sends few events.
 * A peer that does more is disconnected.
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
   * Called before a message is read: a long one may only come while a request is pending.
   * @param pending number of pending requests
   */
  checkLength(length: number, pending: number): void {
    if (length <= longest || pending > 0 || this.#givenUp.size > 0) return;
    throw protocolError(`an unrequested message of ${length} characters`);
  }

  /**
   * An answer.
   * @param expected its request was pending
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
