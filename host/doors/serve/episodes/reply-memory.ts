import { PwpError } from '../../../../bridge/lib/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';

interface Remembered {
  /** The request without its id, to notice an id that is used again for another one. */
  readonly asked: string;
  readonly reply: Promise<object>;
}

/** Replies by the ids of their requests, so that a client may repeat one whose reply it lost. */
export class ReplyMemory {
  readonly #replies = new Map<string, Remembered>();
  readonly #most: number;

  /** @param most replies that are kept: there are pictures in them, and clients repeat their last request */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The reply to a request: the first one if it is repeated, also while that is under way. A failure is remembered as well.
   * Errors: `usage` for an id that another request had.
   */
  async reply<T extends object>(
    input: { readonly request?: string | undefined },
    run: () => Promise<T>,
  ): Promise<T> {
    const { request, ...rest } = input;
    if (request === undefined) return run();
    const asked = toJson(rest);
    const before = this.#replies.get(request);
    if (before && before.asked !== asked)
      throw new PwpError('usage', `another request had the id ${JSON.stringify(request)}`, {
        help: 'Give each request an id of its own, and repeat it only with the same content.',
      });
    // The same request has a reply of the same type.
    const reply = (before?.reply as Promise<T> | undefined) ?? run();
    // The last one that was used is kept longest.
    this.#replies.delete(request);
    this.#replies.set(request, { asked, reply });
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > this.#most && oldest !== undefined) this.#replies.delete(oldest);
    return reply;
  }
}
