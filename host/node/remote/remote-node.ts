import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { type Cancellable, neverAborted } from '../../../bridge/lib/index.ts';
import {
  ErrorCode,
  type Method,
  nodeCalls,
  nodeVersion,
  type ParamsIn,
  type ResultOf,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import { handshake, Peer, type Transport } from '../../../bridge/rpc/index.ts';
import { addRootToKey, summarizeAgentRoot, type FetchAgentRoot } from '../agent-root.ts';
import { createProxyEgress, type Egress, hasNetwork } from '../network/index.ts';
import type { Node, Sandbox } from '../node.ts';
import type { NetworkPolicy } from '../sandbox-spec.ts';
import { EgressTunnels } from './egress-tunnel.ts';
import { type Remote, RemoteObjects } from './remote-objects.ts';
import { requireFitting } from './wire-values.ts';

export interface RemoteNodeOptions {
  /** As {@link LocalNodeOptions.names}: the proxy of a sandbox with a network is in this process. */
  readonly names?: Readonly<Record<string, string>>;
  /** Finds the roots of agents on this machine, with folders that the node sees. Default: the node finds them itself. */
  readonly root?: FetchAgentRoot;
}

/** A node at the other end of a connection. Errors of every method: `node-lost` when the connection has ended. */
export interface RemoteNode extends Node {
  /** Resolves when the connection is over. */
  readonly closed: Promise<Error | undefined>;
}

/** Resolves when the node has greeted. Errors: `VersionMismatch`. */
export async function connectRemoteNode(
  transport: Transport,
  { signal = neverAborted, ...options }: RemoteNodeOptions & Cancellable = {},
): Promise<RemoteNode> {
  const peer = new Peer(transport);
  try {
    const { version } = await handshake(peer, 'host', signal);
    if (version === nodeVersion) return createRemoteNode(peer, options);
    throw new RpcError(ErrorCode.VersionMismatch, `the node is of version ${version}, not ${nodeVersion}`);
  } catch (error) {
    await peer.close();
    throw error;
  }
}

type StartedSandbox = Awaited<ReturnType<Remote<typeof nodeCalls>['open']>>;

/** The methods are the node's; here is only what belongs to this machine: files, images, and ways to a network. */
function createRemoteNode(peer: Peer, { names = {}, root: fetchRoot }: RemoteNodeOptions): RemoteNode {
  const node = new RemoteObjects(peer).root(nodeCalls);
  const tunnels = new EgressTunnels(peer);
  const sandboxes = new Set<Sandbox>();

  /** @param exit the way out of a sandbox that has one */
  const adopt = (started: StartedSandbox, exit?: Egress, tunnel?: number): Sandbox => {
    const sandbox = toSandbox(started, exit, () => {
      sandboxes.delete(sandbox);
      if (tunnel !== undefined) void tunnels.remove(tunnel);
    });
    sandboxes.add(sandbox);
    return sandbox;
  };
  /** Makes a sandbox, with a way out through this process where its policy has one. */
  const begin = async (
    network: NetworkPolicy | undefined,
    make: (tunnel?: number) => Promise<StartedSandbox>,
  ): Promise<Sandbox> => {
    if (!hasNetwork(network)) return adopt(await make());
    const exit = createProxyEgress(network, names);
    const tunnel = tunnels.add(exit);
    try {
      return adopt(await make(tunnel), exit, tunnel);
    } catch (error) {
      await tunnels.remove(tunnel);
      throw error;
    }
  };
  const findRoot = async (image: string | null | undefined, signal = neverAborted) =>
    image === null || image === undefined ? undefined : fetchRoot?.(image, { signal });

  return {
    ...node,
    kind: 'docker',
    closed: peer.closed,
    async image({ root, ...options } = {}) {
      const found = await findRoot(root, options.signal);
      return found ? addRootToKey(await node.image(options), found) : node.image({ root, ...options });
    },
    async agentRoot(image, options) {
      const found = await findRoot(image, options?.signal);
      return found ? summarizeAgentRoot(found) : node.agentRoot(image, options);
    },
    async start(spec, options) {
      const agentRoot = await findRoot(spec.root, options?.signal);
      return begin(spec.network, (tunnel) => node.start(spec, { ...options, tunnel, agentRoot }));
    },
    open: async (id, options) => adopt(await node.open(id, options)),
    async fork(id, options) {
      const source = (await node.checkpoints()).find((one) => one.id === id);
      const agentRoot = await findRoot(source?.root, options.signal);
      return begin(source?.network, (tunnel) => node.fork(id, { ...options, tunnel, agentRoot }));
    },
    async exportCheckpoint(id, path, options) {
      const part = `${path}.part`;
      try {
        await using target = await open(part, 'w', 0o600);
        await node.exportCheckpoint(id, (bytes) => target.writeFile(bytes), options);
        await target.sync();
        await rename(part, path);
      } finally {
        await rm(part, { force: true });
      }
    },
    async importCheckpoint(path, options) {
      await using source = await open(path);
      return await node.importCheckpoint(source.createReadStream({ autoClose: false }), options);
    },
    /** Ends the sandboxes that were started through it and are not to be kept, then the connection. */
    async [Symbol.asyncDispose]() {
      try {
        await Promise.all([...sandboxes].map((sandbox) => sandbox[Symbol.asyncDispose]()));
      } finally {
        await peer.close();
      }
    },
  };
}

/** @param over called when it can no longer be used */
function toSandbox(started: StartedSandbox, exit: Egress | undefined, over: () => void): Sandbox {
  const { lease } = started;
  let ended: Promise<void> | undefined;
  const end = (how: () => PromiseLike<void>) => {
    ended ??= Promise.resolve(how()).then(over, (error: unknown) => {
      ended = undefined;
      throw error;
    });
    return ended;
  };
  return {
    ...started,
    lease: {
      ...lease,
      take: (person, options) =>
        lease.take(person, {
          ...options,
          onLate: ({ hold }) => void lease.giveBack(hold).catch(() => undefined),
        }),
    },
    async call<M extends Method>(method: M, params: ParamsIn<M>, options?: Cancellable) {
      const result = await started.call(method, params, options);
      const checked = method.result.safeParse(result);
      return requireFitting(checked, `${method.name}: bad result`, ErrorCode.InternalError) as ResultOf<M>;
    },
    // Always as a stream: the node then holds none of it in memory.
    unpack: ({ path, tar }, options) =>
      started.unpack({ path, tar: tar instanceof Uint8Array ? Readable.from([tar]) : tar }, options),
    onRefusal(listener) {
      const listening = [started.onRefusal(listener), ...(exit ? [exit.refusals.on(listener)] : [])];
      return { [Symbol.dispose]: () => listening.forEach((one) => one[Symbol.dispose]()) };
    },
    stop: () => end(started.stop),
    [Symbol.asyncDispose]: () => end(started[Symbol.asyncDispose]),
  };
}
