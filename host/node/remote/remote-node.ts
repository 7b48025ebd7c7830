import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import {
  checkpointMethods,
  type NodeLoad,
  nodeMethods,
  type Refusal,
  type ResultOf,
  sandboxMethods,
} from '../../../bridge/protocol/index.ts';
import { handshake, Peer, type Transport } from '../../../bridge/rpc/index.ts';
import type { CheckpointInfo, CheckpointProblem, CheckpointSupport, ForkOptions } from '../checkpoint.ts';
import { createProxyEgress, type Egress, hasNetwork } from '../network/index.ts';
import type { Node, Sandbox, SandboxInfo, SweepReport } from '../node.ts';
import type { NetworkPolicy, SandboxSpec } from '../sandbox-spec.ts';
import { sendParts } from './byte-transfers.ts';
import { EgressTunnels } from './egress-tunnel.ts';
import { askNode, askWithStream } from './node-requests.ts';
import { RemoteSandbox } from './remote-sandbox.ts';

/** Refusals that come before the answer to the start of their sandbox; more of them are not reported. */
const maxEarlyRefusals = 1000;

export interface RemoteNodeOptions {
  /** As {@link LocalNodeOptions.names}: the proxy of a sandbox with a network is in this process. */
  readonly names?: Readonly<Record<string, string>>;
}

/** A node at the other end of a connection. Errors of every method: `node-lost` when the connection has ended. */
export class RemoteNode implements Node {
  readonly kind = 'docker';
  readonly #peer: Peer;
  readonly #life = randomUUID();
  readonly #sandboxes = new Set<RemoteSandbox>();
  readonly #tunnels: EgressTunnels;
  readonly #names: Readonly<Record<string, string>>;
  readonly #early: { readonly id: string; readonly refusal: Refusal }[] = [];

  private constructor(peer: Peer, { names = {} }: RemoteNodeOptions) {
    this.#peer = peer;
    this.#names = names;
    this.#tunnels = new EgressTunnels(peer);
    peer.on(sandboxMethods.refusal, ({ id, refusal }) => {
      const about = [...this.#sandboxes].filter((sandbox) => sandbox.id === id);
      for (const sandbox of about) sandbox.refused(refusal);
      if (about.length === 0 && this.#early.length < maxEarlyRefusals) this.#early.push({ id, refusal });
    });
    peer.on(sandboxMethods.service, ({ id, service }) => {
      for (const sandbox of this.#sandboxes) if (sandbox.id === id) sandbox.reportService(service);
    });
  }

  /** Resolves when the node has greeted. Errors: those of `greet`. */
  static async connect(
    transport: Transport,
    { signal = neverAborted, ...options }: RemoteNodeOptions & Cancellable = {},
  ): Promise<RemoteNode> {
    const peer = new Peer(transport);
    try {
      await handshake(peer, 'host', signal);
      return new RemoteNode(peer, options);
    } catch (error) {
      await peer.close();
      throw error;
    }
  }

  /** Resolves when the connection is over. */
  get closed(): Promise<Error | undefined> {
    return this.#peer.closed;
  }

  /** It brings its own. */
  needsPackages(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** It was prepared before it was started. */
  prepare(): Promise<void> {
    return Promise.resolve();
  }

  /** The node keeps its checkpoints for itself alone, and they end with it. */
  lifetime(): Promise<string> {
    return Promise.resolve(this.#life);
  }

  async image({ signal = neverAborted }: Cancellable = {}): Promise<string> {
    return (await askNode(this.#peer, nodeMethods.image, {}, signal)).image;
  }

  async start(spec: SandboxSpec, { signal = neverAborted }: Cancellable = {}): Promise<Sandbox> {
    const { copy, limits: bounds, seeds, ...rest } = spec;
    const sizes = seeds.map(({ path, tar }) => ({
      path,
      bytes: tar instanceof Uint8Array ? tar.byteLength : null,
    }));
    const params = { ...rest, limits: { ...bounds }, seeds: sizes, ...(copy && { copy }) };
    const archives = seeds.map(({ tar }) => tar);
    return this.#begin(spec.network, async (tunnel) => {
      const [started] = await askWithStream(this.#peer, {
        method: nodeMethods.start,
        direction: 'write',
        params: (stream) => ({ ...params, ...tunnel, stream }),
        carry: (stream) => sendParts(stream, archives),
        signal,
        onLate: this.#leave,
      });
      return started;
    });
  }

  async open(id: string, { signal = neverAborted }: Cancellable = {}): Promise<Sandbox> {
    return this.#adopt(await askNode(this.#peer, nodeMethods.open, { id }, signal, this.#leave));
  }

  async list(): Promise<SandboxInfo[]> {
    return (await askNode(this.#peer, nodeMethods.list, {})).sandboxes;
  }

  load(): Promise<NodeLoad> {
    return askNode(this.#peer, nodeMethods.load, {});
  }

  async stop(id: string): Promise<void> {
    await askNode(this.#peer, nodeMethods.stop, { id });
  }

  sweep(): Promise<SweepReport> {
    return askNode(this.#peer, nodeMethods.sweep, {});
  }

  checkpointSupport({ signal = neverAborted }: Cancellable = {}): Promise<CheckpointSupport> {
    return askNode(this.#peer, checkpointMethods.support, {}, signal);
  }

  async checkpoints(): Promise<CheckpointInfo[]> {
    return (await askNode(this.#peer, checkpointMethods.list, {})).checkpoints;
  }

  async findCheckpoint(key: string): Promise<CheckpointInfo | null> {
    return (await askNode(this.#peer, checkpointMethods.find, { key })).checkpoint;
  }

  async checkpointProblems(): Promise<CheckpointProblem[]> {
    return (await askNode(this.#peer, checkpointMethods.problems, {})).problems;
  }

  async fork(
    id: string,
    { name, keep, origin, signal = neverAborted }: ForkOptions & Cancellable,
  ): Promise<Sandbox> {
    const source = (await this.checkpoints()).find((one) => one.id === id);
    return this.#begin(source?.network, (tunnel) =>
      askNode(this.#peer, checkpointMethods.fork, { id, name, keep, origin, ...tunnel }, signal, this.#leave),
    );
  }

  async deleteCheckpoint(id: string): Promise<void> {
    await askNode(this.#peer, checkpointMethods.delete, { id });
  }

  async exportCheckpoint(
    id: string,
    path: string,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<void> {
    const part = `${path}.part`;
    try {
      await using target = await open(part, 'w', 0o600);
      const [{ bytes }] = await askWithStream(this.#peer, {
        method: checkpointMethods.export,
        direction: 'read',
        params: (stream) => ({ id, stream }),
        carry: (stream) => target.writeFile(stream),
        signal,
      });
      const { size } = await target.stat();
      if (size !== bytes)
        throw new PwpError('incomplete-transfer', `${size} bytes came, ${bytes} were announced`);
      await target.sync();
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
    }
  }

  async importCheckpoint(path: string, { signal = neverAborted }: Cancellable = {}): Promise<CheckpointInfo> {
    await using source = await open(path);
    const [imported] = await askWithStream(this.#peer, {
      method: checkpointMethods.import,
      direction: 'write',
      params: (stream) => ({ stream }),
      carry: (stream) => pipeline(source.createReadStream({ autoClose: false }), stream),
      signal,
    });
    return imported;
  }

  /** Ends the sandboxes that were started through it and are not to be kept, then the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await Promise.all([...this.#sandboxes].map((sandbox) => sandbox[Symbol.asyncDispose]()));
    } finally {
      await this.#peer.close();
    }
  }

  /** Makes a sandbox, with a way out through this process where its policy has one. */
  async #begin(
    network: NetworkPolicy | undefined,
    make: (tunnel: { readonly tunnel?: number }) => Promise<ResultOf<typeof nodeMethods.open>>,
  ): Promise<RemoteSandbox> {
    if (!hasNetwork(network)) return this.#adopt(await make({}));
    const exit = createProxyEgress(network, this.#names);
    const tunnel = this.#tunnels.add(exit);
    try {
      return this.#adopt(await make({ tunnel }), { tunnel, exit });
    } catch (error) {
      await this.#tunnels.remove(tunnel);
      throw error;
    }
  }

  /** @param way the way out of a sandbox that has one, which ends with it */
  #adopt(
    started: ResultOf<typeof nodeMethods.open>,
    way?: { readonly tunnel: number; readonly exit: Egress },
  ): RemoteSandbox {
    const sandbox = new RemoteSandbox(this.#peer, started, () => {
      this.#sandboxes.delete(sandbox);
      if (way) void this.#tunnels.remove(way.tunnel);
    });
    this.#sandboxes.add(sandbox);
    for (const { id, refusal } of this.#early) if (id === sandbox.id) sandbox.refused(refusal);
    way?.exit.refusals.on((refusal) => sandbox.refused(refusal));
    return sandbox;
  }

  /** Gives up a sandbox that came up at the very moment at which its caller gave up. */
  readonly #leave = ({ id }: ResultOf<typeof nodeMethods.open>): void => {
    void askNode(this.#peer, sandboxMethods.leave, { id }).catch(() => undefined);
  };
}
