import { open, rename, rm } from 'node:fs/promises';
import {
  checkpointMethods,
  limits,
  nodeMethods,
  sandboxMethods,
  type NodeLoad,
  type ResultOf,
} from '../../../bridge/protocol/index.ts';
import { Peer, greet, type Transport } from '../../../bridge/rpc/index.ts';
import type { CheckpointInfo, CheckpointSupport, ForkOptions } from '../checkpoint.ts';
import type { Node, Sandbox, SandboxInfo, SandboxSpec, Seed, SweepReport } from '../node.ts';
import { ask } from './ask.ts';
import { download, upload } from './files.ts';
import { RemoteSandbox } from './remote-sandbox.ts';

/** A node at the other end of a connection. Errors of every method: `node-lost` when the connection has ended. */
export class RemoteNode implements Node {
  readonly kind = 'docker';
  readonly #peer: Peer;
  readonly #sandboxes = new Set<RemoteSandbox>();
  #nextUpload = 0;

  private constructor(peer: Peer) {
    this.#peer = peer;
    peer.on(sandboxMethods.refusal, ({ id, refusal }) => {
      for (const sandbox of this.#sandboxes) if (sandbox.id === id) sandbox.refused(refusal);
    });
    peer.on(sandboxMethods.service, ({ id, service }) => {
      for (const sandbox of this.#sandboxes) if (sandbox.id === id) sandbox.tell(service);
    });
  }

  /** Resolves when the node has greeted. Errors: those of `greet`. */
  static async connect(transport: Transport, signal: AbortSignal): Promise<RemoteNode> {
    const peer = new Peer(transport);
    try {
      await greet(peer, 'host', signal);
      return new RemoteNode(peer);
    } catch (error) {
      await peer.close();
      throw error;
    }
  }

  /** Resolves when the connection is over. */
  get closed(): Promise<Error | undefined> {
    return this.#peer.closed;
  }

  async image(signal: AbortSignal): Promise<string> {
    return (await ask(this.#peer, nodeMethods.image, {}, signal)).image;
  }

  async start(spec: SandboxSpec, signal: AbortSignal): Promise<Sandbox> {
    const { copy, limits: bounds, seeds, ...rest } = spec;
    const uploaded = [];
    for (const seed of seeds) uploaded.push({ path: seed.path, upload: await this.#upload(seed, signal) });
    const params = { ...rest, limits: { ...bounds }, seeds: uploaded, ...(copy && { copy }) };
    return this.#adopt(await ask(this.#peer, nodeMethods.start, params, signal));
  }

  async open(id: string, signal: AbortSignal): Promise<Sandbox> {
    return this.#adopt(await ask(this.#peer, nodeMethods.open, { id }, signal));
  }

  async list(): Promise<SandboxInfo[]> {
    return (await ask(this.#peer, nodeMethods.list, {})).sandboxes;
  }

  load(): Promise<NodeLoad> {
    return ask(this.#peer, nodeMethods.load, {});
  }

  async stop(id: string): Promise<void> {
    await ask(this.#peer, nodeMethods.stop, { id });
  }

  sweep(): Promise<SweepReport> {
    return ask(this.#peer, nodeMethods.sweep, {});
  }

  checkpointSupport(signal: AbortSignal): Promise<CheckpointSupport> {
    return ask(this.#peer, checkpointMethods.support, {}, signal);
  }

  async checkpoints(): Promise<CheckpointInfo[]> {
    return (await ask(this.#peer, checkpointMethods.list, {})).checkpoints;
  }

  async fork(id: string, { name, keep }: ForkOptions, signal: AbortSignal): Promise<Sandbox> {
    return this.#adopt(await ask(this.#peer, checkpointMethods.fork, { id, name, keep }, signal));
  }

  async deleteCheckpoint(id: string): Promise<void> {
    await ask(this.#peer, checkpointMethods.delete, { id });
  }

  async exportCheckpoint(id: string, path: string, signal: AbortSignal): Promise<void> {
    const { file } = await ask(this.#peer, checkpointMethods.export, { id }, signal);
    const part = `${path}.part`;
    try {
      await using target = await open(part, 'w', 0o600);
      await download(this.#peer, file, target, signal);
      await target.sync();
      await rename(part, path);
    } finally {
      await rm(part, { force: true });
      await this.#closeFile(file);
    }
  }

  async importCheckpoint(path: string, signal: AbortSignal): Promise<CheckpointInfo> {
    await using source = await open(path);
    const { file } = await ask(this.#peer, checkpointMethods.openFile, {}, signal);
    try {
      await upload(this.#peer, file, source, signal);
      return await ask(this.#peer, checkpointMethods.import, { file }, signal);
    } finally {
      await this.#closeFile(file);
    }
  }

  /** Ends the sandboxes that were started through it and are not to be kept, then the connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await Promise.all([...this.#sandboxes].map((sandbox) => sandbox[Symbol.asyncDispose]()));
    } finally {
      await this.#peer.close();
    }
  }

  /** It ends with the connection, too. */
  async #closeFile(file: number): Promise<void> {
    await ask(this.#peer, checkpointMethods.closeFile, { file }).catch(() => undefined);
  }

  #adopt(started: ResultOf<typeof nodeMethods.open>): RemoteSandbox {
    const sandbox = new RemoteSandbox(this.#peer, started, () => void this.#sandboxes.delete(sandbox));
    this.#sandboxes.add(sandbox);
    return sandbox;
  }

  async #upload({ tar }: Seed, signal: AbortSignal): Promise<number> {
    const upload = this.#nextUpload++;
    const bytes = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength);
    for (let at = 0; at === 0 || at < bytes.length; at += limits.uploadBytes) {
      const base64 = bytes.subarray(at, at + limits.uploadBytes).toString('base64');
      await ask(this.#peer, nodeMethods.upload, { upload, base64 }, signal);
    }
    return upload;
  }
}
