import type * as z from 'zod';
import type { Cancellable } from '../../../bridge/lib/index.ts';
import type { Method, ParamsOut, ResultOf, nodeMethods } from '../../../bridge/protocol/index.ts';
import type { Handlers, Peer } from '../../../bridge/rpc/index.ts';
import type { ForkOptions } from '../checkpoint.ts';
import type { EgressFor } from '../network/index.ts';
import type { Node, Sandbox } from '../node.ts';
import type { SandboxSpec } from '../spec.ts';
import { toWire } from './errors.ts';
import type { OpenSandboxes } from './open-sandboxes.ts';
import type { Transfers } from './transfers.ts';

/** A node whose sandboxes may have another way out than the node's own. */
export interface ServedNode extends Node {
  start(spec: SandboxSpec, options?: EgressOption): Promise<Sandbox>;
  fork(id: string, options: ForkOptions & EgressOption): Promise<Sandbox>;
}

interface EgressOption extends Cancellable {
  readonly egressFor?: EgressFor | undefined;
}

/** The parts that serve one connection. */
export interface Service {
  readonly node: ServedNode;
  readonly peer: Peer;
  readonly sandboxes: OpenSandboxes;
  readonly transfers: Transfers;
  /** Holds a sandbox for the connection and reports the sandbox's parts on it. */
  readonly hold: (sandbox: Sandbox) => Promise<ResultOf<typeof nodeMethods.open>>;
}

type AnswerOf<M extends Method> = z.input<M['result']>;

/** Adds a handler whose typed errors reach the caller as such. */
export function serve<M extends Method>(
  handlers: Handlers,
  method: M,
  handle: (params: ParamsOut<M>, signal: AbortSignal) => AnswerOf<M> | Promise<AnswerOf<M>>,
): void {
  handlers.add(method, async (params, signal): Promise<AnswerOf<M>> => {
    try {
      return await handle(params, signal);
    } catch (error) {
      throw toWire(error);
    }
  });
}
