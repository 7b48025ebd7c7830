import { pause, PwpError } from '../../bridge/lib/index.ts';

/** Whether the other side is frozen now, so that it can't answer. */
export type IsFrozen = () => Promise<boolean>;

/**
 * A limit to how long what runs inside a sandbox may take to answer. Unlike a deadline, it does not end while the
 * sandbox is frozen. Dispose it when the answer is there.
 */
export class FreezeAwareTimeout implements Disposable {
  readonly #over = new AbortController();
  readonly #disposed = new AbortController();
  readonly #parent: AbortSignal;
  readonly #onParent = () => this.#over.abort(this.#parent.reason);
  #expired = false;

  constructor(ms: number, isFrozen: IsFrozen | undefined, parent: AbortSignal) {
    this.#parent = parent;
    if (parent.aborted) this.#onParent();
    parent.addEventListener('abort', this.#onParent, { once: true });
    this.#wait(ms, isFrozen).catch(() => undefined);
  }

  /** Fires with a `timeout` error when the time is over, or with its parent. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether the time is over. */
  get expired(): boolean {
    return this.#expired;
  }

  [Symbol.dispose](): void {
    this.#disposed.abort();
    this.#parent.removeEventListener('abort', this.#onParent);
  }

  async #wait(ms: number, isFrozen: IsFrozen | undefined): Promise<void> {
    do await pause(ms, this.#disposed.signal);
    while (await isFrozen?.());
    if (this.#over.signal.aborted || this.#disposed.signal.aborted) return;
    this.#expired = true;
    this.#over.abort(new PwpError('timeout', `no answer within ${ms} ms`));
  }
}
