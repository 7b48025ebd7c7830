import { PwpError } from '../../../bridge/lib/index.ts';
import type { Sandbox } from '../node.ts';

/** The sandboxes and freezes of one connection. Disposing it gives them all up, as the connection's end does. */
export class OpenSandboxes implements AsyncDisposable {
  readonly #sandboxes = new Map<string, Set<Sandbox>>();
  readonly #freezes = new Map<number, AsyncDisposable>();
  #nextFreeze = 1;
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

  async freeze(id: string): Promise<number> {
    const frozen = await this.get(id).freeze();
    if (this.#closed) await frozen[Symbol.asyncDispose]();
    const freeze = this.#nextFreeze++;
    this.#freezes.set(freeze, frozen);
    return freeze;
  }

  /** A no-op for a freeze that is over. */
  async release(freeze: number): Promise<void> {
    const frozen = this.#freezes.get(freeze);
    this.#freezes.delete(freeze);
    await frozen?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    // Whatever can't be given up, e.g. the freeze of a sandbox that is gone, is left to the node's sweep.
    await Promise.allSettled([...this.#freezes.keys()].map((freeze) => this.release(freeze)));
    const ids = [...this.#sandboxes].flatMap(([id, held]) => [...held].map(() => id));
    await Promise.allSettled(ids.map((id) => this.leave(id)));
  }
}
