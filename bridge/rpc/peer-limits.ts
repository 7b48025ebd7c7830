import { PwpError } from '../lib/index.ts';
import { clip } from '../text/index.ts';

/** Limits on unrequested messages of an untrusted peer, for one period. */
const periodMs = 10_000;
const maxPeriodMessages = 2000;
const maxPeriodCharacters = 4 * 1024 * 1024;
/** UTF-16 code units of one such message. */
const maxMessageLength = 64 * 1024;
/** Requests that were given up and are not answered yet. */
const maxGivenUp = 4096;

/**
 * Bounds on a peer that may be hostile, e.g. one inside a sandbox: it answers each request once, and sends few events.
 * A peer that does more is disconnected.
 */
export class PeerLimits {
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
    if (this.#givenUp.size > maxGivenUp)
      throw createProtocolError(`it left ${maxGivenUp} requests unanswered`);
  }

  /**
   * Called before a message is read: a long one may only come while a request is pending.
   * @param pending number of pending requests
   */
  checkLength(length: number, pending: number): void {
    if (length <= maxMessageLength || pending > 0 || this.#givenUp.size > 0) return;
    throw createProtocolError(`an unrequested message of ${length} characters`);
  }

  /**
   * An answer.
   * @param expected its request was pending
   */
  answered(id: number | string | null, expected: boolean): void {
    const givenUp = typeof id === 'number' && this.#givenUp.delete(id);
    if (givenUp || expected) return;
    throw createProtocolError(`an answer to request ${clip(String(id), 100)}, which was not made`);
  }

  /** An event. */
  unasked(length: number): void {
    if (length > maxMessageLength) throw createProtocolError(`an event of ${length} characters`);
    const now = this.#now();
    if (now - this.#period.began >= periodMs) this.#period = { began: now, messages: 0, characters: 0 };
    this.#period.messages += 1;
    this.#period.characters += length;
    if (this.#period.messages > maxPeriodMessages || this.#period.characters > maxPeriodCharacters)
      throw createProtocolError('it reports more than anyone can read');
  }
}

/** The other side has broken the protocol of byte streams: its connection is ended with this error. */
export function createProtocolError(message: string): PwpError {
  return new PwpError('protocol-error', `the other side broke the protocol: ${message}`);
}

export function isProtocolError(error: unknown): error is PwpError {
  return error instanceof PwpError && error.code === 'protocol-error';
}
