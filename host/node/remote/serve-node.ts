import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Cancellable } from '../../../bridge/lib/index.ts';
import { nodeCalls, nodeVersion } from '../../../bridge/protocol/index.ts';
import { handshakeHandlers, Peer, type Transport } from '../../../bridge/rpc/index.ts';
import { openTemporaryFolder } from '../../lib/index.ts';
import { type AgentRoot, agentRootSchema } from '../agent-root.ts';
import type { ForkOptions } from '../checkpoint.ts';
import type { EgressFactory } from '../network/index.ts';
import type { Node, Sandbox } from '../node.ts';
import type { SandboxSpec } from '../sandbox-spec.ts';
import { createTunnelEgress } from './egress-tunnel.ts';
import { ObjectServer } from './object-server.ts';
import { requireFitting } from './wire-values.ts';

/** A node whose sandboxes may have another way out than the node's own, and a root that the node did not find itself. */
interface ServedNode extends Node {
  start(spec: SandboxSpec, options?: GivenParts): Promise<Sandbox>;
  fork(id: string, options: ForkOptions & GivenParts): Promise<Sandbox>;
}

interface GivenParts extends Cancellable {
  readonly egressFor?: EgressFactory | undefined;
  readonly agentRoot?: AgentRoot | undefined;
}

/**
 * Lets the other end of a connection use a node as if it were its own. Resolves when the connection is over and all
 * that ends with it has ended: freezes, and sandboxes that were started through it and are not to be kept.
 */
export async function serveNode(node: ServedNode, transport: Transport): Promise<void> {
  const handlers = handshakeHandlers('node', nodeVersion);
  const peer = new Peer(transport, handlers);
  await using server = new ObjectServer(peer, handlers);
  const readParts = (tunnel: number | undefined, agentRoot: unknown) => ({
    egressFor: createTunnelEgress(peer, tunnel),
    agentRoot: requireFitting(
      agentRootSchema.optional().safeParse(agentRoot),
      "bad root of a sandbox's agent",
    ),
  });
  server.serve(nodeCalls, node, {
    start: (spec, { tunnel, agentRoot, signal }) =>
      node.start(spec, { signal, ...readParts(tunnel, agentRoot) }),
    fork: (id, { tunnel, agentRoot, ...options }) =>
      node.fork(id, { ...options, ...readParts(tunnel, agentRoot) }),
    exportCheckpoint: (id, read, { signal }) =>
      withTemporaryFile(async (path) => {
        await node.exportCheckpoint(id, path, { signal });
        await read(createReadStream(path));
      }),
    importCheckpoint: (bytes, { signal }) =>
      withTemporaryFile(async (path) => {
        await pipeline(bytes, createWriteStream(path, { mode: 0o600 }));
        return node.importCheckpoint(path, { signal });
      }),
  });
  await peer.closed;
}

/** Works with the path of a file that does not exist yet; a file that is there afterwards is removed. */
async function withTemporaryFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  await using folder = await openTemporaryFolder('file');
  return await work(join(folder.path, 'file'));
}
