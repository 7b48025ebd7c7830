import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type Docker from 'dockerode';
import {
  type Cancellable,
  describeError,
  neverAborted,
  PwpError,
  SingleFlight,
} from '../../../bridge/lib/index.ts';
import { ErrorCode, type NodeLoad, RpcError } from '../../../bridge/protocol/index.ts';
import { type Progress, silentProgress } from '../../lib/index.ts';
import {
  type CheckpointInfo,
  type CheckpointProblem,
  type CheckpointSupport,
  compareByAge,
  type ForkOptions,
} from '../checkpoint.ts';
import type { AgentRootInfo, FetchAgentRoot } from '../agent-root.ts';
import {
  hasLastingState,
  type ImageOptions,
  type Node,
  type Sandbox,
  type SandboxInfo,
  type SweepReport,
} from '../node.ts';
import { AgentRoots } from '../local/index.ts';
import type { RemoteNode } from '../remote/index.ts';
import { type Language, resolveLanguages, type SandboxSpec } from '../sandbox-spec.ts';
import { listPossibleConnectors } from './connectors.ts';
import {
  connectNode,
  type ContainerPlace,
  type NodeContainer,
  removeContainer,
  startContainer,
  sweepFolders,
  sweepNetworks,
} from './container.ts';
import { askEngine, connectEngine } from './engine.ts';
import { folderLabel, isOwnerAlive, nodeLabel, ownerLabel, parseOwner } from './labels.ts';
import { lendRoot, locateRoots } from './lent-roots.ts';
import { ensureNodeParts } from './node-image.ts';

/** Time in which a node that runs answers, in milliseconds. */
const answerMs = 10_000;

/** Containers keep their checkpoints for themselves alone and end with the process that made them. */
const thisProcess = randomUUID();

export interface DockerNodeOptions {
  /** Called with the progress while images are built for the first time. */
  readonly progress?: Progress;
  /**
   * IP addresses of names that the proxy of a sandbox with a network does not look up; as for the local node. The proxy
   * is in this process, so these are addresses as this machine sees them.
   */
  readonly names?: Readonly<Record<string, string>>;
  /** Extra languages in its image: `cpp`, `go`, `rust`. Default: none. Errors: `usage` for another name. */
  readonly languages?: readonly string[];
  /** As for the local node: finds or fetches the root of a sandbox, on this machine. */
  readonly root?: FetchAgentRoot;
  /** Where the engine is and how to reach the node: `DOCKER_*` and `PWP_NODE_*`. Default: this process's environment. */
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Sandboxes in containers of the Docker Engine: one container for all that this process starts, made at the first
 * start. Removes what hosts that are gone have left, then is ready. Errors: those of `connectEngine`, `usage`.
 */
export async function createDockerNode({
  signal = neverAborted,
  ...options
}: DockerNodeOptions & Cancellable = {}): Promise<Node> {
  signal.throwIfAborted();
  resolveLanguages(options.languages ?? []);
  const node = new DockerNode(await connectEngine(options.env), options);
  // Leftovers that can't be removed now do no harm.
  await node.sweep().catch(() => undefined);
  return node;
}

export class DockerNode implements Node {
  readonly kind = 'docker';
  readonly #engine: Docker;
  readonly #progress: Progress;
  readonly #names: Readonly<Record<string, string>>;
  readonly #env: NodeJS.ProcessEnv;
  readonly #languages: readonly Language[];
  readonly #roots: AgentRoots;
  readonly #own = new SingleFlight((signal) => this.#startOwn(signal));
  /** Removals of containers that ended before their time. */
  readonly #lost = new Set<Promise<void>>();
  /** Connections to nodes that other processes have started, by the id of the container. */
  readonly #others = new Map<string, RemoteNode>();

  /** Use {@link createDockerNode}. */
  constructor(
    engine: Docker,
    { progress = silentProgress, names = {}, env = process.env, languages = [], root }: DockerNodeOptions,
  ) {
    this.#languages = resolveLanguages(languages);
    this.#engine = engine;
    this.#progress = progress;
    this.#names = names;
    this.#env = env;
    this.#roots = new AgentRoots(root);
  }

  async start(spec: SandboxSpec, { signal = neverAborted }: Cancellable = {}): Promise<Sandbox> {
    const { node } = await this.#own.get(signal);
    return node.start(spec, { signal });
  }

  async image({ root, signal = neverAborted }: ImageOptions = {}): Promise<string> {
    return (await this.#own.get(signal)).node.image({ root, signal });
  }

  async agentRoot(image: string, { signal = neverAborted }: Cancellable = {}): Promise<AgentRootInfo> {
    return (await this.#own.get(signal)).node.agentRoot(image, { signal });
  }

  async open(id: string, { signal = neverAborted }: Cancellable = {}): Promise<Sandbox> {
    return (await this.#holderOf(id)).open(id, { signal });
  }

  async list(): Promise<SandboxInfo[]> {
    const lists = await this.#askAll(async (node, { Labels }) => {
      const owner = parseOwner(Labels[ownerLabel]);
      const alive = await isOwnerAlive(Labels[ownerLabel]);
      return (await node.list()).map((one) => ({ ...one, owner: { pid: owner?.pid ?? 0, alive } }));
    });
    return lists.flat();
  }

  /** The load of this process's own container; before there is one, only the first start can find out what fits. */
  async load(): Promise<NodeLoad> {
    const own = this.#own.value;
    return own ? own.node.load() : { running: 0, waiting: 0, room: 1 };
  }

  async stop(id: string): Promise<void> {
    await (await this.#holderOf(id)).stop(id);
  }

  /** Nodes end by themselves; this removes those that can't: never started, stuck, or without a host that connects. */
  async sweep(): Promise<SweepReport> {
    const removed: string[] = [];
    const filters = { label: [`${nodeLabel}=container`] };
    const containers = await this.#list({ all: true, filters });
    const names = new Set(containers.flatMap(({ Names }) => Names.map((name) => name.slice(1))));
    await Promise.all([sweepFolders(names), sweepNetworks(this.#engine, names)]);
    for (const info of containers) {
      if (await isOwnerAlive(info.Labels[ownerLabel])) continue;
      if (info.State === 'running' && (await this.#isOfUse(info))) continue;
      const name = info.Names[0]?.slice(1) ?? info.Id;
      await removeContainer(this.#engine, name, info.Labels[folderLabel] ?? '');
      removed.push(name);
    }
    return { removed };
  }

  async checkpointSupport({ signal = neverAborted }: Cancellable = {}): Promise<CheckpointSupport> {
    const support = await (await this.#own.get(signal)).node.checkpointSupport({ signal });
    return { ...support, lifetime: thisProcess };
  }

  /** The checkpoints of all containers: each keeps its own, for as long as it runs. */
  async checkpoints(): Promise<CheckpointInfo[]> {
    return (await this.#askAll((node) => node.checkpoints())).flat().sort(compareByAge);
  }

  /**
   * The youngest of the checkpoints that the containers find: only each container knows which of its own were restored.
   */
  async findCheckpoint(key: string): Promise<CheckpointInfo | null> {
    const found = await this.#askAll((node) => node.findCheckpoint(key));
    return (
      found
        .filter((one) => one !== null)
        .sort(compareByAge)
        .at(-1) ?? null
    );
  }

  async checkpointProblems(): Promise<CheckpointProblem[]> {
    const problems = (await this.#askAll((node) => node.checkpointProblems())).flat();
    return problems.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  }

  async fork(id: string, options: ForkOptions & Cancellable): Promise<Sandbox> {
    return (await this.#nodeWith(id)).fork(id, options);
  }

  async deleteCheckpoint(id: string): Promise<void> {
    await (await this.#nodeWith(id)).deleteCheckpoint(id);
  }

  async exportCheckpoint(
    id: string,
    path: string,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<void> {
    await (await this.#nodeWith(id)).exportCheckpoint(id, path, { signal });
  }

  /**
   * Into this process's own container, else one that runs and that no process ends with, else another one that runs:
   * where it can be restored, for as long as possible.
   */
  async importCheckpoint(path: string, { signal = neverAborted }: Cancellable = {}): Promise<CheckpointInfo> {
    const kept = this.#own.value ? undefined : await this.#longestLived();
    const node = kept ? await this.#nodeOf(kept) : (await this.#own.get(signal)).node;
    return node.importCheckpoint(path, { signal });
  }

  async #longestLived(): Promise<Docker.ContainerInfo | undefined> {
    const all = await this.#containers();
    const owned = await Promise.all(all.map(({ Labels }) => isOwnerAlive(Labels[ownerLabel])));
    return all.find((_, i) => owned[i] === false) ?? all[0];
  }

  /** Ends all sandboxes that this process started and that were not to be kept, and the container with the last. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new PwpError('node-closed', 'the node is closed');
    const [own] = await Promise.all([this.#own.close(reason), this.#roots.close(reason)]);
    // Before the others are closed, which it may connect to. The next sweep removes what can't be removed now.
    await Promise.allSettled(this.#lost);
    const closing = [...this.#others.values()].map((node) => node[Symbol.asyncDispose]());
    const ends = await Promise.allSettled([...closing, ...(own ? [endOwn(this.#engine, own)] : [])]);
    this.#others.clear();
    if (own) this.#own.forget(own);
    const failures = ends.filter((end) => end.status === 'rejected').map((end): unknown => end.reason);
    if (failures.length > 0)
      throw new AggregateError(failures, `can't end: ${failures.map(describeError).join('; ')}`);
  }

  async #startOwn(signal: AbortSignal): Promise<NodeContainer> {
    const [progress, languages] = [this.#progress, this.#languages];
    const image = await ensureNodeParts(this.#engine, { languages, progress, signal });
    const connectors = await listPossibleConnectors(this.#engine, this.#env);
    const [names, rootFor] = [this.#names, this.#rootFor];
    const options = { engine: this.#engine, image, connectors, names, rootFor };
    const started = await startContainer(options, signal);
    void started.node.closed.then(() => {
      // As it should, when this was disposed.
      if (this.#own.value !== started) return;
      // A node that has ended, e.g. by `docker kill`, is replaced at the next start.
      this.#own.forget(started);
      const removal = this.#endLost(started.folder).catch(() => undefined);
      this.#lost.add(removal);
      void removal.then(() => this.#lost.delete(removal));
    });
    return started;
  }

  /** Removes what is left of a container whose node is gone. */
  async #endLost(folder: string): Promise<void> {
    const name = basename(folder);
    const info = (await this.#containers()).find(({ Names }) => Names.includes(`/${name}`));
    // Only the connection was lost, and something is to be kept.
    if (info && (await this.#isOfUse(info))) return;
    await removeContainer(this.#engine, name, folder);
  }

  readonly #rootFor =
    ({ container, folder }: ContainerPlace): FetchAgentRoot =>
    async (image, { signal }) => {
      const inside = await locateRoots(container, image);
      return lendRoot(await this.#roots.get(image, signal), folder, inside);
    };

  #containers(): Promise<Docker.ContainerInfo[]> {
    return this.#list({ filters: { label: [`${nodeLabel}=container`] } });
  }

  #list(options: Docker.ContainerListOptions): Promise<Docker.ContainerInfo[]> {
    return askEngine('its containers', (abortSignal) =>
      this.#engine.listContainers({ ...options, abortSignal }),
    );
  }

  /** The answers of all containers; a node that ends before it answers gives none. */
  async #askAll<T>(ask: (node: RemoteNode, info: Docker.ContainerInfo) => Promise<T>): Promise<T[]> {
    const asked = (await this.#containers()).map(async (info) => ask(await this.#nodeOf(info), info));
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  async #nodeOf(info: Docker.ContainerInfo): Promise<RemoteNode> {
    const own = this.#own.value;
    if (own && info.Names.includes(`/${basename(own.folder)}`)) return own.node;
    const there = this.#others.get(info.Id);
    if (there) return there;
    const folder = info.Labels[folderLabel] ?? '';
    const container = this.#engine.getContainer(info.Id);
    const options = { names: this.#names, root: this.#rootFor({ container, folder }) };
    const node = await connectNode(container, folder, options, AbortSignal.timeout(answerMs));
    this.#others.set(info.Id, node);
    void node.closed.then(() => this.#others.delete(info.Id));
    return node;
  }

  /** Errors: `no-such-sandbox`. */
  async #holderOf(id: string): Promise<RemoteNode> {
    const found = await this.#findNode(id, (node) => node.list());
    if (found) return found;
    throw new PwpError('no-such-sandbox', `there is no sandbox ${JSON.stringify(id)} in any container`, {
      help: 'List the sandboxes: pwp sandboxes list --node docker',
    });
  }

  /** The node that keeps a checkpoint. Errors: `no-such-checkpoint`. */
  async #nodeWith(id: string): Promise<RemoteNode> {
    const found = await this.#findNode(id, (node) => node.checkpoints());
    if (found) return found;
    const text = `there is no checkpoint ${JSON.stringify(id)} in any container`;
    throw new PwpError('no-such-checkpoint', text, {
      help: 'List the checkpoints: pwp checkpoints list --node docker',
    });
  }

  /** The first node that lists an id. */
  async #findNode(
    id: string,
    list: (node: RemoteNode) => Promise<readonly { readonly id: string }[]>,
  ): Promise<RemoteNode | undefined> {
    for (const info of await this.#containers()) {
      const node = await this.#nodeOf(info).catch(() => undefined);
      const listed = node ? await list(node).catch(() => []) : [];
      if (node && listed.some((one) => one.id === id)) return node;
    }
    return undefined;
  }

  /** Whether a node whose host is gone has something to keep. */
  async #isOfUse(info: Docker.ContainerInfo): Promise<boolean> {
    try {
      return await hasLastingState(await this.#nodeOf(info));
    } catch (error) {
      // One of another version ends by itself once it is of no use.
      return error instanceof RpcError && error.code === ErrorCode.VersionMismatch;
    }
  }
}

async function endOwn(engine: Docker, { node, folder }: NodeContainer): Promise<void> {
  // Nothing is kept in a node that doesn't answer.
  const kept = await hasLastingState(node).catch(() => false);
  try {
    await node[Symbol.asyncDispose]();
  } finally {
    if (!kept) await removeContainer(engine, basename(folder), folder);
  }
}
