import type Docker from 'dockerode';
import { PwpError, messageOf } from '../../../bridge/lib/index.ts';
import { silentProgress, type Progress } from '../../lib/index.ts';
import { ensureImage } from '../local/image/index.ts';
import type { CheckpointInfo, CheckpointSupport, ForkOptions } from '../checkpoint.ts';
import type { Node, NodeLoad, Sandbox, SandboxInfo, SandboxSpec, SweepReport } from '../node.ts';
import type { RemoteNode } from '../remote/index.ts';
import {
  connectNode,
  removeContainer,
  startContainer,
  sweepFolders,
  type NodeContainer,
} from './container.ts';
import { connectEngine } from './engine.ts';
import { ensureNodeImage } from './image.ts';
import { folderLabel, nodeLabel, ownerLabel, ownerLives, parseOwner } from './labels.ts';

/** Time in which a node that runs answers, in milliseconds. */
const answerMs = 10_000;

export interface DockerNodeOptions {
  /** Told what happens while images are built for the first time. */
  readonly progress?: Progress;
}

/**
 * Sandboxes in containers of the Docker Engine: one container for all that this process starts, made at the first
 * start. Removes what hosts that are gone have left, then is ready. Errors: those of `connectEngine`.
 */
export async function createDockerNode(options: DockerNodeOptions = {}): Promise<DockerNode> {
  const node = new DockerNode(await connectEngine(), options.progress ?? silentProgress);
  // What can't be removed now is in nobody's way.
  await node.sweep().catch(() => undefined);
  return node;
}

export class DockerNode implements Node {
  readonly kind = 'docker';
  readonly #engine: Docker;
  readonly #progress: Progress;
  #own: Promise<NodeContainer> | undefined;
  /** Connections to nodes that other processes have started, by the id of the container. */
  readonly #others = new Map<string, RemoteNode>();

  /** Use {@link createDockerNode}. */
  constructor(engine: Docker, progress: Progress) {
    this.#engine = engine;
    this.#progress = progress;
  }

  async start(spec: SandboxSpec, signal: AbortSignal): Promise<Sandbox> {
    refuseNetwork(spec);
    return (await this.#ownNode(signal)).start(spec, signal);
  }

  async image(signal: AbortSignal): Promise<string> {
    return (await ensureImage({ progress: this.#progress, signal })).key;
  }

  async open(id: string, signal: AbortSignal): Promise<Sandbox> {
    return (await this.#holderOf(id)).open(id, signal);
  }

  async list(): Promise<SandboxInfo[]> {
    const lists = (await this.#containers()).map(async (info) => {
      const owner = parseOwner(info.Labels[ownerLabel]);
      const alive = await ownerLives(info.Labels[ownerLabel]);
      const sandboxes = await (await this.#nodeOf(info)).list();
      return sandboxes.map((one) => ({ ...one, owner: { pid: owner?.pid ?? 0, alive } }));
    });
    // A node may end while it is asked.
    const answers = await Promise.allSettled(lists);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }

  /** Of this process's own container; before there is one, only the first start can tell what would fit. */
  async load(): Promise<NodeLoad> {
    const own = await this.#own?.catch(() => undefined);
    return own ? own.node.load() : { running: 0, waiting: 0, room: 1 };
  }

  async stop(id: string): Promise<void> {
    await (await this.#holderOf(id)).stop(id);
  }

  /** Nodes end by themselves; this removes those that can't: never started, stuck, or without a host to connect. */
  async sweep(): Promise<SweepReport> {
    const removed: string[] = [];
    const filters = { label: [`${nodeLabel}=container`] };
    const containers = await this.#engine.listContainers({ all: true, filters });
    await sweepFolders(new Set(containers.flatMap(({ Names }) => Names.map((name) => name.slice(1)))));
    for (const info of containers) {
      if (await ownerLives(info.Labels[ownerLabel])) continue;
      if (info.State === 'running' && (await this.#isOfUse(info))) continue;
      await removeContainer(this.#engine.getContainer(info.Id), info.Labels[folderLabel] ?? '');
      removed.push(info.Names[0]?.slice(1) ?? info.Id);
    }
    return { removed };
  }

  async checkpointSupport(signal: AbortSignal): Promise<CheckpointSupport> {
    return (await this.#ownNode(signal)).checkpointSupport(signal);
  }

  /** Of all containers: each keeps its own, for as long as it runs. */
  async checkpoints(): Promise<CheckpointInfo[]> {
    const lists = (await this.#containers()).map(async (info) => (await this.#nodeOf(info)).checkpoints());
    const answers = await Promise.allSettled(lists);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }

  async fork(id: string, options: ForkOptions, signal: AbortSignal): Promise<Sandbox> {
    return (await this.#keeperOf(id)).fork(id, options, signal);
  }

  async deleteCheckpoint(id: string): Promise<void> {
    await (await this.#keeperOf(id)).deleteCheckpoint(id);
  }

  async exportCheckpoint(id: string, path: string, signal: AbortSignal): Promise<void> {
    await (await this.#keeperOf(id)).exportCheckpoint(id, path, signal);
  }

  async importCheckpoint(path: string, signal: AbortSignal): Promise<CheckpointInfo> {
    return (await this.#ownNode(signal)).importCheckpoint(path, signal);
  }

  /** Ends all sandboxes that this process started and that were not to be kept, and the container with the last. */
  async [Symbol.asyncDispose](): Promise<void> {
    const own = await this.#own?.catch(() => undefined);
    const closing = [...this.#others.values()].map((node) => node[Symbol.asyncDispose]());
    const ends = await Promise.allSettled([...closing, ...(own ? [endOwn(own)] : [])]);
    this.#others.clear();
    this.#own = undefined;
    const failures = ends.filter((end) => end.status === 'rejected').map((end): unknown => end.reason);
    if (failures.length > 0)
      throw new AggregateError(failures, `can't end: ${failures.map(messageOf).join('; ')}`);
  }

  /** Started when it is first needed. */
  async #ownNode(signal: AbortSignal): Promise<RemoteNode> {
    this.#own ??= this.#startOwn(signal).catch((error: unknown) => {
      this.#own = undefined;
      throw error;
    });
    return (await this.#own).node;
  }

  async #startOwn(signal: AbortSignal): Promise<NodeContainer> {
    await ensureImage({ progress: this.#progress, signal });
    const image = await ensureNodeImage(this.#engine, this.#progress, signal);
    const started = await startContainer(this.#engine, image, signal);
    // A node that has ended, e.g. by `docker kill`, is replaced at the next start.
    void started.node.closed.then(() => (this.#own = undefined));
    return started;
  }

  #containers(): Promise<Docker.ContainerInfo[]> {
    return this.#engine.listContainers({ filters: { label: [`${nodeLabel}=container`] } });
  }

  async #nodeOf(info: Docker.ContainerInfo): Promise<RemoteNode> {
    const own = await this.#own?.catch(() => undefined);
    if (own?.container.id === info.Id) return own.node;
    const there = this.#others.get(info.Id);
    if (there) return there;
    const node = await connectNode(info.Labels[folderLabel] ?? '', AbortSignal.timeout(answerMs));
    this.#others.set(info.Id, node);
    void node.closed.then(() => this.#others.delete(info.Id));
    return node;
  }

  /** Errors: `no-such-sandbox`. */
  async #holderOf(id: string): Promise<RemoteNode> {
    for (const info of await this.#containers()) {
      const node = await this.#nodeOf(info).catch(() => undefined);
      const sandboxes = (await node?.list().catch(() => [])) ?? [];
      if (node && sandboxes.some((one) => one.id === id)) return node;
    }
    throw new PwpError('no-such-sandbox', `there is no sandbox ${JSON.stringify(id)} in any container`, {
      help: 'See which ones there are: pwp sandboxes list --node docker',
    });
  }

  /** The node that keeps a checkpoint. Errors: `no-such-checkpoint`. */
  async #keeperOf(id: string): Promise<RemoteNode> {
    for (const info of await this.#containers()) {
      const node = await this.#nodeOf(info).catch(() => undefined);
      const kept = (await node?.checkpoints().catch(() => [])) ?? [];
      if (node && kept.some((one) => one.id === id)) return node;
    }
    throw new PwpError('no-such-checkpoint', `there is no checkpoint ${JSON.stringify(id)} in any container`);
  }

  /** Whether a node whose host is gone has sandboxes to be kept. */
  async #isOfUse(info: Docker.ContainerInfo): Promise<boolean> {
    try {
      return (await (await this.#nodeOf(info)).list()).some(({ keep }) => keep);
    } catch {
      return false;
    }
  }
}

async function endOwn({ container, node, folder }: NodeContainer): Promise<void> {
  // Nothing is kept in a node that doesn't answer.
  const sandboxes = await node.list().catch(() => []);
  try {
    await node[Symbol.asyncDispose]();
  } finally {
    const kept = sandboxes.some((one) => one.keep && one.state !== 'stopped');
    if (!kept) await removeContainer(container, folder);
  }
}

/** The container itself has no network, so that nothing in it can reach one by mistake. */
function refuseNetwork({ network }: SandboxSpec): void {
  if (network === undefined || network.mode === 'no-network') return;
  throw new PwpError(
    'unsupported',
    `sandboxes in Docker have no network yet, and this one asks for "${network.mode}"`,
    {
      help: 'Run it on the local node: --node local',
    },
  );
}
