import { memoryPair } from '../../bridge/rpc/transport.ts';
import {
  createDockerNode,
  createLocalNode,
  type LocalNodeOptions,
  type Node,
} from '../../host/node/index.ts';
import { connectRemoteNode } from '../../host/node/remote/remote-node.ts';
import { serveNode } from '../../host/node/remote/serve-node.ts';
import { openEngine } from './docker-engine.ts';
import { everything } from './slow.ts';

export type OpenWebNode = (options: LocalNodeOptions) => Promise<{ readonly node: Node } & AsyncDisposable>;

/**
 * One suite for the local node at the other end of a connection, which tests both; in `npm run test:all` also for each
 * kind of node. Cache folder and image only apply to the local node, not to a container.
 */
export function onEachConnection(
  title: string,
  suite: (open: OpenWebNode, kind: 'local' | 'remote' | 'docker') => void,
): void {
  describe(`${title}, on a node at the other end of a connection`, () => suite(openRemote, 'remote'));
  if (!everything) return;
  describe(`${title}, on the local node`, () => suite(openLocal, 'local'));
  describe(`${title}, on the Docker node`, () => suite(openDocker, 'docker'));
}

async function openLocal(options: LocalNodeOptions) {
  const node = await createLocalNode(options);
  return { node, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
}

async function openRemote({ names = {}, ...options }: LocalNodeOptions) {
  // The names are for the side that connects: the other one must not need them.
  const local = await createLocalNode(options);
  const [near, far] = memoryPair();
  const served = serveNode(local, far);
  const node = await connectRemoteNode(near, { names });
  return {
    node,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await served;
      await local[Symbol.asyncDispose]();
    },
  };
}

async function openDocker({ names = {} }: LocalNodeOptions) {
  await openEngine();
  const node = await createDockerNode({ names });
  return { node, [Symbol.asyncDispose]: () => node[Symbol.asyncDispose]() };
}
