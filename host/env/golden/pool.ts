import type { ForkOptions, Node, Sandbox } from '../../node/index.ts';

/** A sandbox that was restored ahead and is frozen. */
interface Warm {
  readonly sandbox: Sandbox;
  readonly frozen: AsyncDisposable;
}

/** Sandboxes restored ahead from one checkpoint at a time, frozen so that they take memory but no processor time. */
export class WarmPool implements AsyncDisposable {
  readonly #node: Node;
  readonly #width: number;
  #closing = new AbortController();
  #checkpoint = '';
  #warm: Promise<Warm | null>[] = [];

  /** @param width how many sandboxes are kept ready */
  constructor(node: Node, width: number) {
    this.#node = node;
    this.#width = width;
  }

  /** Takes a sandbox that is ready or on its way, and unfreezes it; undefined if the pool is empty. */
  async take(checkpoint: string): Promise<Sandbox | undefined> {
    if (checkpoint !== this.#checkpoint) await this.#empty();
    for (let next = this.#warm.shift(); next; next = this.#warm.shift()) {
      const warm = await next;
      if (!warm) continue;
      await warm.frozen[Symbol.asyncDispose]();
      return warm.sandbox;
    }
    return undefined;
  }

  /** Makes sure, in the background, that the requested number is ready. */
  fill(checkpoint: string, options: ForkOptions): void {
    this.#checkpoint = checkpoint;
    while (this.#warm.length < this.#width) this.#warm.push(this.#restore(checkpoint, options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#closing = new AbortController();
    await this.#empty();
  }

  async #empty(): Promise<void> {
    const left = this.#warm.splice(0);
    for (const warm of await Promise.all(left)) {
      await warm?.frozen[Symbol.asyncDispose]();
      await warm?.sandbox[Symbol.asyncDispose]();
    }
  }

  /** Null if it fails: then the reset restores a sandbox itself, and reports the cause. */
  async #restore(checkpoint: string, options: ForkOptions): Promise<Warm | null> {
    const sandbox = await this.#node
      .fork(checkpoint, { ...options, signal: this.#closing.signal })
      .catch(() => null);
    if (!sandbox) return null;
    try {
      return { sandbox, frozen: await sandbox.freeze() };
    } catch {
      await sandbox[Symbol.asyncDispose]();
      return null;
    }
  }
}
