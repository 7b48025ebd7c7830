import { mkdir } from 'node:fs/promises';
import {
  type Cancellable,
  describeError,
  neverAborted,
  PwpError,
  SingleFlight,
} from '../../../bridge/lib/index.ts';
import { defaultWorkspace, type NodeLoad } from '../../../bridge/protocol/index.ts';
import {
  identifyThisProcess,
  isProcessAlive,
  type Progress,
  pwpHome,
  readBootId,
  runFolder,
  silentProgress,
} from '../../lib/index.ts';
import {
  addRootToKey,
  type AgentRoot,
  type AgentRootInfo,
  summarizeAgentRoot,
  type FetchAgentRoot,
} from '../agent-root.ts';
import type { CheckpointInfo, CheckpointProblem, CheckpointSupport, ForkOptions } from '../checkpoint.ts';
import { Checkpointer } from '../checkpoint/index.ts';
import {
  createSandbox,
  destroySandbox,
  findSandboxRecord,
  listContainers,
  listSandboxIds,
  newSandboxId,
  planFromImage,
  readContainerState,
  readSandboxRecord,
  readSandboxUsage,
  requireOwnRoot,
  requireRunc,
  resolveSandboxPaths,
  type RuncContainer,
  runcRoot,
  sandboxesFolder,
  type SandboxPlan,
  type SandboxRecord,
} from '../container/index.ts';
import { ensureImage, type SandboxImage } from '../image/index.ts';
import { createProxyEgress, type EgressFactory, refuseKeptNetwork } from '../network/index.ts';
import type { ImageOptions, Node, Sandbox, SandboxInfo, SweepReport } from '../node.ts';
import { checkWorkspace, resolveLanguages, type SandboxSpec } from '../sandbox-spec.ts';
import {
  AdmissionQueue,
  countFittingSandboxes,
  createFixedRoom,
  estimateMemoryMb,
  measureMachineRoom,
  type SandboxAdmission,
} from './admission-queue.ts';
import { AgentRoots } from './agent-roots.ts';
import { LocalSandbox } from './local-sandbox.ts';
import { sweepSandboxes } from './sweep-sandboxes.ts';

export interface LocalNodeOptions {
  /** Cache folder: images and file systems of sandboxes. Default: as `PWP_HOME` says. */
  readonly home?: string;
  /** Called with the progress while the image is built for the first time. */
  readonly progress?: Progress;
  /**
   * IP addresses of names that the proxy of a sandbox with a network does not look up, e.g. of a mirror inside a
   * company. These may be private, and a task must still allow the name.
   */
  readonly names?: Readonly<Record<string, string>>;
  /** Where sandboxes come from instead of the project's own image. */
  readonly image?: (options: { readonly signal: AbortSignal }) => Promise<SandboxImage>;
  /** Finds or fetches the root of a sandbox that asks for another one than our image's. */
  readonly root?: FetchAgentRoot;
  /** Extra languages in its image: `cpp`, `go`, `rust`. Default: none. Errors: `usage` for another name. */
  readonly languages?: readonly string[];
  /** Memory that this node's sandboxes may take together, in MiB. Default: what is free on the machine. */
  readonly memoryMb?: number;
  /** Called with the number of starts in the admission queue, whenever it grows. */
  readonly onWait?: (waiting: number) => void;
}

/**
 * The node in this process: no daemon, no Docker. Removes the leftovers of hosts that are gone, then is ready.
 * Errors: `needs-linux`, `needs-root`, `runc-missing`, `chrooted`, `usage`.
 */
export async function createLocalNode({
  signal,
  ...options
}: LocalNodeOptions & Cancellable = {}): Promise<LocalNode> {
  resolveLanguages(options.languages ?? []);
  requireRoot();
  await requireRunc(signal);
  await requireOwnRoot(signal);
  const home = options.home ?? pwpHome();
  await mkdir(runcRoot, { recursive: true, mode: 0o700 });
  await mkdir(sandboxesFolder(home), { recursive: true, mode: 0o700 });
  // Leftovers that can't be removed now do no harm: ids are never reused.
  const node = new LocalNode(home, options);
  await node.sweep().catch(() => undefined);
  return node;
}

interface LocalStartOptions extends Cancellable {
  /** Makes the sandbox's way to the network, where its policy has one. Default: a proxy in this process. */
  readonly egressFor?: EgressFactory | undefined;
  /** Its agent's root. Default: found by the name in its spec, or in that of its checkpoint. */
  readonly agentRoot?: AgentRoot | undefined;
}

export class LocalNode implements Node {
  readonly kind = 'local';
  readonly #home: string;
  readonly #options: LocalNodeOptions;
  readonly #sandboxes = new Set<LocalSandbox>();
  /** Starts that are under way: each undoes itself when this fires. */
  readonly #closing = new AbortController();
  readonly #starting = new Set<Promise<unknown>>();
  readonly #admission: AdmissionQueue;
  readonly #checkpointer: Checkpointer;
  /** Made once: the image of a running program does not change. */
  readonly #image: SingleFlight<SandboxImage>;
  readonly #roots: AgentRoots;

  /** Use {@link createLocalNode}. */
  constructor(home: string, options: LocalNodeOptions) {
    this.#home = home;
    this.#options = options;
    this.#checkpointer = new Checkpointer(home);
    this.#roots = new AgentRoots(options.root);
    const { progress = silentProgress, image } = options;
    const languages = resolveLanguages(options.languages ?? []);
    this.#image = new SingleFlight((signal) =>
      image ? image({ signal }) : ensureImage({ progress, signal, languages }),
    );
    const roomMb = options.memoryMb === undefined ? measureMachineRoom : createFixedRoom(options.memoryMb);
    this.#admission = new AdmissionQueue({ roomMb, ...(options.onWait && { onWait: options.onWait }) });
  }

  start(spec: SandboxSpec, { signal = neverAborted, ...given }: LocalStartOptions = {}): Promise<Sandbox> {
    return this.#underWay(signal, (either) => this.#start(spec, either, given));
  }

  async image({ root, signal = neverAborted }: ImageOptions = {}): Promise<string> {
    const { key } = await this.#image.get(signal);
    return addRootToKey(key, await this.#root(root, signal));
  }

  async agentRoot(image: string, { signal = neverAborted }: Cancellable = {}): Promise<AgentRootInfo> {
    return summarizeAgentRoot(await this.#roots.get(image, signal));
  }

  async open(id: string): Promise<Sandbox> {
    const record = await findSandboxRecord(id);
    const status = (await readContainerState(id))?.status ?? 'stopped';
    if (status === 'stopped') {
      throw new PwpError('no-such-sandbox', `sandbox ${id} no longer runs`, {
        help: `Remove what is left of it: pwp sandboxes stop ${id}`,
      });
    }
    return this.#adopt(new LocalSandbox(record, this.#checkpointer, false));
  }

  async list(): Promise<SandboxInfo[]> {
    const [ids, containers] = await Promise.all([listSandboxIds(runFolder), listContainers()]);
    const records = await Promise.all(ids.map(readSandboxRecord));
    const known = records.filter((record) => record !== null);
    return Promise.all(known.map((record) => describeSandbox(record, containers)));
  }

  async load(): Promise<NodeLoad> {
    const { waiting, admitted } = this.#admission;
    return { running: admitted.length, waiting, room: countFittingSandboxes(await this.#admission.roomMb()) };
  }

  async stop(id: string): Promise<void> {
    const record = await findSandboxRecord(id);
    for (const sandbox of this.#sandboxes) if (sandbox.id === id) return sandbox.stop();
    await destroySandbox(id, resolveSandboxPaths(record));
  }

  async sweep(): Promise<SweepReport> {
    const report = await sweepSandboxes(this.#home);
    await (await this.#checkpointer.store()).sweep();
    return report;
  }

  checkpointSupport({ signal = neverAborted }: Cancellable = {}): Promise<CheckpointSupport> {
    return this.#checkpointer.support(signal);
  }

  async checkpoints(): Promise<CheckpointInfo[]> {
    return (await this.#checkpointer.store()).list();
  }

  async findCheckpoint(key: string): Promise<CheckpointInfo | null> {
    return (await this.#checkpointer.store()).find(key);
  }

  checkpointProblems(): Promise<CheckpointProblem[]> {
    return this.#checkpointer.problems();
  }

  fork(id: string, { signal = neverAborted, ...options }: ForkOptions & LocalStartOptions): Promise<Sandbox> {
    return this.#underWay(signal, (either) => this.#fork(id, options, either));
  }

  async deleteCheckpoint(id: string): Promise<void> {
    await (await this.#checkpointer.store()).delete(id);
  }

  async exportCheckpoint(
    id: string,
    path: string,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<void> {
    await (await this.#checkpointer.store()).export(id, path, signal);
  }

  async importCheckpoint(path: string, { signal = neverAborted }: Cancellable = {}): Promise<CheckpointInfo> {
    return (await this.#checkpointer.store()).import(path, signal);
  }

  /** Ends all sandboxes that this node started and that were not to be kept, those under way included. */
  async [Symbol.asyncDispose](): Promise<void> {
    const reason = new PwpError('node-closed', 'the node is closed');
    this.#closing.abort(reason);
    await Promise.allSettled([...this.#starting, this.#image.close(reason), this.#roots.close(reason)]);
    const ends = await Promise.allSettled(
      [...this.#sandboxes].map((sandbox) => sandbox[Symbol.asyncDispose]()),
    );
    this.#sandboxes.clear();
    await this.#checkpointer[Symbol.asyncDispose]();
    const failures = ends.filter((end) => end.status === 'rejected').map((end): unknown => end.reason);
    if (failures.length > 0)
      throw new AggregateError(failures, `can't end: ${failures.map(describeError).join('; ')}`);
  }

  readonly #egressFor: EgressFactory = (policy) => createProxyEgress(policy, this.#options.names ?? {});

  async #underWay<T>(signal: AbortSignal, work: (either: AbortSignal) => Promise<T>): Promise<T> {
    this.#closing.signal.throwIfAborted();
    const started = work(AbortSignal.any([signal, this.#closing.signal]));
    this.#starting.add(started);
    try {
      return await started;
    } finally {
      this.#starting.delete(started);
    }
  }

  async #start(
    spec: SandboxSpec,
    signal: AbortSignal,
    { egressFor = this.#egressFor, agentRoot }: LocalStartOptions,
  ): Promise<LocalSandbox> {
    refuseKeptNetwork(spec);
    checkWorkspace(spec);
    // Before anything else that takes time: the first caller is first in the queue.
    const place = await this.#enter(spec, signal);
    return this.#make(place, signal, async () => {
      const root = agentRoot ?? (await this.#root(spec.root, signal));
      const record = await this.#record(spec, root, signal);
      return { record, making: planFromImage(record, spec, egressFor) };
    });
  }

  async #fork(
    id: string,
    { name, keep, origin, egressFor = this.#egressFor, agentRoot }: ForkOptions & LocalStartOptions,
    signal: AbortSignal,
  ): Promise<LocalSandbox> {
    const store = await this.#checkpointer.store();
    await using held = await store.hold(id, signal);
    const spec = { ...held.meta, name, keep };
    refuseKeptNetwork(spec);
    const place = await this.#admission.admit(estimateMemoryMb(spec), signal);
    const sandbox = await this.#make(place, signal, async () => {
      const root = agentRoot ?? (await this.#root(held.meta.root, signal));
      const record = await this.#record(spec, root, signal, {
        checkpoint: id,
        origin: origin === 'own' ? undefined : held.meta.origin,
      });
      return {
        record,
        making: { ...(await this.#checkpointer.making(record, held, signal)), egressFor },
      };
    });
    await store.prove(id);
    return sandbox;
  }

  /** Starts a sandbox that was admitted; it keeps its place until it has started or failed. */
  async #make(
    place: SandboxAdmission,
    signal: AbortSignal,
    plan: () => Promise<{ record: SandboxRecord; making: SandboxPlan }>,
  ): Promise<LocalSandbox> {
    try {
      const { record, making } = await plan();
      place.id = record.id;
      const made = await createSandbox(record, making, signal);
      const sandbox = this.#adopt(
        new LocalSandbox(made.record, this.#checkpointer, !record.keep, made.network),
      );
      void sandbox.over.then(() => place[Symbol.dispose]());
      return sandbox;
    } catch (error) {
      place[Symbol.dispose]();
      throw error;
    }
  }

  /** A copy of a running sandbox never waits: those before it in the queue may be waiting for that sandbox to end. */
  async #enter(spec: SandboxSpec, signal: AbortSignal): Promise<SandboxAdmission> {
    const needMb = estimateMemoryMb(spec);
    return spec.copy ? this.#admission.admitNow(needMb) : this.#admission.admit(needMb, signal);
  }

  async #root(image: string | null | undefined, signal: AbortSignal): Promise<AgentRoot | null> {
    return image === null || image === undefined ? null : this.#roots.get(image, signal);
  }

  #adopt(sandbox: LocalSandbox): LocalSandbox {
    this.#sandboxes.add(sandbox);
    void sandbox.over.then(() => this.#sandboxes.delete(sandbox));
    return sandbox;
  }

  async #record(
    spec: Omit<SandboxSpec, 'seeds' | 'copy' | 'root'>,
    root: AgentRoot | null,
    signal: AbortSignal,
    from: { readonly checkpoint: string; readonly origin: string | null | undefined } | null = null,
  ): Promise<SandboxRecord> {
    const [owner, boot, image] = await Promise.all([
      identifyThisProcess(),
      readBootId(),
      this.#image.get(signal),
    ]);
    const { name, role, keep, display, limits, network = { mode: 'no-network' } } = spec;
    const { workspace = defaultWorkspace } = spec;
    const id = newSandboxId(name);
    const { checkpoint, origin = id } = from ?? { checkpoint: null, origin: undefined };
    return {
      ...{ id, name, role, keep, display, limits, network, workspace, checkpoint, origin },
      ...{ image: addRootToKey(image.key, root), layers: image.layers, root },
      ...{ owner, bootId: boot, home: this.#home },
      startedAt: new Date().toISOString(),
      phase: 'making',
    };
  }
}

async function describeSandbox(
  record: SandboxRecord,
  containers: readonly RuncContainer[],
): Promise<SandboxInfo> {
  const { id, name, role, startedAt, keep, display, owner, origin } = record;
  const status = containers.find((container) => container.id === id)?.status ?? 'stopped';
  const state = status === 'paused' || status === 'stopped' ? status : 'running';
  const alive = await isProcessAlive(owner);
  const usage =
    state === 'stopped' ? null : await readSandboxUsage(id, resolveSandboxPaths(record)).catch(() => null);
  return {
    ...{ id, name, role, startedAt, keep, display, origin, usage },
    state,
    owner: { pid: owner.pid, alive },
  };
}

function requireRoot(): void {
  if (process.platform !== 'linux') throw new PwpError('needs-linux', 'sandboxes need Linux');
  if (process.geteuid?.() === 0) return;
  throw new PwpError('needs-root', 'sandboxes need root: they mount file systems and make namespaces', {
    help: 'Run the same command with sudo.',
  });
}
