import { PwpError } from '../../../bridge/lib/index.ts';
import type { Sandbox } from '../node.ts';

/** The sandboxes, freezes and batches of one connection. Disposing it gives them all up, as the connection's end does. */
export class OpenSandboxes implements AsyncDisposable {
  readonly #sandboxes = new Map<string, Set<Sandbox>>();
  /** Freezes and batches, by the numbers that the other side has for them. */
  readonly #held = new Map<number, AsyncDisposable>();
  #next = 1;
  #closed = false;

  /** Rejects with `node-closed`, after giving the sandbox up, where the connection ended meanwhile. */
  async hold(sandbox: Sandbox): Promise<Sandbox> {
    if (this.#closed) {
      await sandbox[Symbol.asyncDispose]();
      throw new PwpError('node-closed', 'the connection ended');
    }
    const held = this.#sandboxes.get(sandbox.id) ?? new Set();
    this.#sandboxes.set(sandbox.id, held.add(sandbox));
    return sandbox;
  }

  /** Errors: `no-such-sandbox`. */
  get(id: string): Sandbox {
    for (const sandbox of this.#sandboxes.get(id) ?? []) return sandbox;
    throw new PwpError('no-such-sandbox', `this connection has not opened sandbox ${id}`);
  }

  /** The last one held is given up first: who started a sandbox holds it longest. */
  async leave(id: string): Promise<void> {
    const held = this.#sandboxes.get(id);
    const last = [...(held ?? [])].at(-1);
    if (!held || !last) return;
    held.delete(last);
    if (held.size === 0) this.#sandboxes.delete(id);
    await last[Symbol.asyncDispose]();
  }

  /** Holds what was begun in a sandbox until it is released or the connection ends; returns its number. */
  async keep(begun: AsyncDisposable): Promise<number> {
    if (this.#closed) await begun[Symbol.asyncDispose]();
    const number = this.#next++;
    this.#held.set(number, begun);
    return number;
  }

  /** A no-op for what is over. */
  async release(number: number): Promise<void> {
    const held = this.#held.get(number);
    this.#held.delete(number);
    await held?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    // Anything that can't be given up, e.g. the freeze of a sandbox that is gone, is left to the node's sweep.
    await Promise.allSettled([...this.#held.keys()].map((number) => this.release(number)));
    const ids = [...this.#sandboxes].flatMap(([id, held]) => [...held].map(() => id));
    await Promise.allSettled(ids.map((id) => this.leave(id)));
  }
}
