import type * as z from 'zod';
import { type Cancellable, PwpError } from '../../../bridge/lib/index.ts';
import type { Method, nodeMethods, ParamsOut, ResultOf } from '../../../bridge/protocol/index.ts';
import type { Handlers, Peer } from '../../../bridge/rpc/index.ts';
import type { ForkOptions } from '../checkpoint.ts';
import type { EgressFactory } from '../network/index.ts';
import type { Node, Sandbox } from '../node.ts';
import type { SandboxSpec } from '../sandbox-spec.ts';
import type { ByteTransfers } from './byte-transfers.ts';
import { toWireError } from './node-requests.ts';

/** A node whose sandboxes may have another way out than the node's own. */
export interface ServedNode extends Node {
  start(spec: SandboxSpec, options?: EgressOption): Promise<Sandbox>;
  fork(id: string, options: ForkOptions & EgressOption): Promise<Sandbox>;
}

interface EgressOption extends Cancellable {
  readonly egressFor?: EgressFactory | undefined;
}

/** The parts that serve one connection. */
export interface NodeService {
  readonly node: ServedNode;
  readonly peer: Peer;
  readonly sandboxes: HeldSandboxes;
  readonly transfers: ByteTransfers;
  /** Holds a sandbox for the connection and reports the sandbox's parts on it. */
  readonly hold: (sandbox: Sandbox) => Promise<ResultOf<typeof nodeMethods.open>>;
}

type HandlerAnswer<M extends Method> = z.input<M['result']>;

/** Adds a handler whose typed errors reach the caller as such. */
export function addNodeHandler<M extends Method>(
  handlers: Handlers,
  method: M,
  handle: (params: ParamsOut<M>, signal: AbortSignal) => HandlerAnswer<M> | Promise<HandlerAnswer<M>>,
): void {
  handlers.add(method, async (params, signal): Promise<HandlerAnswer<M>> => {
    try {
      return await handle(params, signal);
    } catch (error) {
      throw toWireError(error);
    }
  });
}

/** The sandboxes, freezes and batches of one connection. Disposing it gives them all up, as the connection's end does. */
export class HeldSandboxes implements AsyncDisposable {
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
