import { chmod } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { memoryPair } from '../../bridge/rpc/transport.ts';
import { silentProgress } from '../../host/lib/index.ts';
import { connectEngine } from '../../host/node/docker/engine.ts';
import { ensureImage, type SandboxImage } from '../../host/node/image/sandbox-image.ts';
import { createDockerNode, createLocalNode, type Language, type Node } from '../../host/node/index.ts';
import type { LocalNode } from '../../host/node/local/local-node.ts';
import { fetchAgentRoot } from '../../host/node/root-images.ts';
import { connectRemoteNode } from '../../host/node/remote/remote-node.ts';
import { serveNode } from '../../host/node/remote/serve-node.ts';
import { openEngine } from './docker-engine.ts';
import { containersOf } from './docker-traces.ts';
import { temporaryFolder } from './folder.ts';
import { forkingNode } from './forking-node.ts';
import { bareSpec } from './node-sandbox.ts';
import { tracesOf } from './node-traces.ts';
import { runHome } from './run-home.ts';
import { everything } from './slow.ts';

/** A node of one kind, with a way to look at its machine beyond its interface. Disposing it ends all it started. */
export interface OpenedNode extends AsyncDisposable {
  readonly node: Node;
  /** Root folder of the machine that the node is on, as seen from here. */
  readonly root: string;
  /** Everything on that machine that still bears a sandbox's id, or starts with this word. */
  traces(id: string): Promise<string[]>;
}

export type OpenNode = () => Promise<OpenedNode>;

export const nodeKinds = ['local', 'docker'] as const;
export type NodeKind = (typeof nodeKinds)[number];
/** `remote`: the local node behind a connection in memory. */
type Kind = NodeKind | 'remote';

const openers: Readonly<Record<Kind, OpenNode>> = {
  local: openLocal,
  remote: openRemote,
  docker: openDocker,
};

/**
 * Describes the same tests once for each kind of node: `mocha -g 'on docker'` runs only one kind.
 * @param tests opens a node in `before` and disposes it in `after`
 */
export function onEachNode(title: string, tests: (open: OpenNode, kind: NodeKind) => void): void {
  describeOn(everything ? nodeKinds : ['local'], title, tests);
}

/** Like {@link onEachNode}, for promises of every node: on the local one behind a connection, which tests both. */
export function onEveryNode(title: string, tests: (open: OpenNode, kind: Kind) => void): void {
  describeOn(everything ? ['local', 'remote', 'docker'] : ['remote'], title, tests);
}

/**
 * Like {@link onEachNode}, for the inside of a sandbox: image and programs are the same on every node, so one kind is
 * enough. Runs on each kind if PWP_EVERY_NODE is set.
 */
export function onOneNode(title: string, tests: (open: OpenNode, kind: NodeKind) => void): void {
  describeOn(process.env['PWP_EVERY_NODE'] ? nodeKinds : ['local'], title, tests);
}

function describeOn<K extends Kind>(
  kinds: readonly K[],
  title: string,
  tests: (open: OpenNode, kind: K) => void,
): void {
  for (const kind of kinds) {
    describe(`${title}, on ${kind}`, function () {
      // The first node in Docker builds its image; the first IDE after a build reads all of that from the disk.
      this.timeout(300_000);
      if (kind === 'docker') before(openEngine);
      tests(openers[kind], kind);
    });
  }
}

/** Longest time to build a layer of languages, in milliseconds. */
const imageMs = 900_000;

/** Nodes of this process, which ends them when it is interrupted. */
const opened = new Set<LocalNode>();

export async function closeNodes(): Promise<void> {
  await Promise.all([...opened].map((node) => node[Symbol.asyncDispose]()));
  opened.clear();
}

/** Its IDEs are forks of one that was booted once in this run, if the test's options allow that. */
export async function openLocal(): Promise<OpenedNode> {
  const { node, ...rest } = await openBooting();
  return { node: forkingNode(node, runHome()), ...rest };
}

/** Like {@link openLocal}, with an image that has extra languages, built if missing. */
export async function openWith(languages: readonly Language[]): Promise<OpenedNode> {
  await ensureImage({ progress: silentProgress, signal: AbortSignal.timeout(imageMs), languages });
  const { node, ...rest } = await openBooting(languages);
  return { node: forkingNode(node, runHome()), ...rest };
}

/** Boots each IDE: for tests of a boot. */
export async function openBooting(
  languages: readonly Language[] = [],
): Promise<OpenedNode & { readonly node: LocalNode }> {
  const home = runHome();
  const node = await createLocalNode({ home, languages, root: fetchAgentRoot });
  opened.add(node);
  return {
    node,
    root: '/',
    traces: (id) => tracesOf(id, home),
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      opened.delete(node);
    },
  };
}

/**
 * Boots IDEs whose image has one more layer on top: sandboxes can't change the image that their programs are of.
 * @param fill fills the layer, of which nothing may stay afterwards
 */
export async function openWithLayer(
  fill: (layer: string, image: SandboxImage) => Promise<void>,
): Promise<OpenedNode> {
  const home = runHome();
  const layer = await temporaryFolder();
  await chmod(layer.path, 0o755);
  const node = await createLocalNode({
    home,
    image: async ({ signal }) => {
      const image = await ensureImage({ progress: silentProgress, signal });
      await fill(layer.path, image);
      return { key: `${image.key}-${basename(layer.path)}`, layers: [layer.path, ...image.layers] };
    },
  });
  opened.add(node);
  return {
    node,
    root: '/',
    traces: (id) => tracesOf(id, home),
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      opened.delete(node);
      await layer[Symbol.asyncDispose]();
    },
  };
}

async function openRemote(): Promise<OpenedNode> {
  const local = await openLocal();
  const [near, far] = memoryPair();
  const served = serveNode(local.node, far);
  const node = await connectRemoteNode(near);
  return {
    ...local,
    node,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await served;
      await local[Symbol.asyncDispose]();
    },
  };
}

async function openDocker(): Promise<OpenedNode> {
  const node = await createDockerNode();
  try {
    // Its container is made with the first sandbox and stays while the node is connected.
    await (await node.start(bareSpec({ name: 'first' }))).stop();
    const view = `/proc/${await containerPid()}`;
    return {
      node,
      root: join(view, 'root'),
      traces: (id) => tracesOf(id, '/var/lib/pwp', view),
      [Symbol.asyncDispose]: () => node[Symbol.asyncDispose](),
    };
  } catch (error) {
    await node[Symbol.asyncDispose]();
    throw error;
  }
}

/** First process of the container that this process most recently started. */
async function containerPid(): Promise<number> {
  const [own] = await containersOf(process.pid);
  const { State } = await (await connectEngine()).getContainer(own?.container ?? 'none').inspect();
  return State.Pid;
}
