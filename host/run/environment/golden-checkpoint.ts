import { createHash, type Hash } from 'node:crypto';
import { PwpError } from '../../../bridge/lib/index.ts';
import { defaultWorkspace } from '../../../bridge/protocol/index.ts';
import type { ForkOptions, Node, Sandbox, SandboxSpec, Seed, StreamedSeed } from '../../node/index.ts';

/** Raised whenever what a golden checkpoint holds changes. */
const goldenFormat = 'golden-2';

/**
 * One key over everything that determines the initial state of a sandbox: the image, the seeds, the display, limits,
 * network and workspace, the kind of node, and the lifetime of its checkpoints. The name of the sandbox doesn't count.
 */
export async function readGoldenKey(
  node: Node,
  spec: SandboxSpec,
  signal: AbortSignal,
  setup?: string,
): Promise<string> {
  const image = await node.image({ root: spec.root, signal });
  const { lifetime: life } = await node.checkpointSupport({ signal });
  return hashGoldenKey({ image, node: node.kind, life, setup }, spec);
}

interface GoldenInputs {
  readonly image: string;
  readonly node: Node['kind'];
  /** A golden checkpoint is valid as long as this stays the same. */
  readonly life: string;
  /** The script that was run after the boot, if any. */
  readonly setup?: string | undefined;
}

export function hashGoldenKey({ image, node, life, setup }: GoldenInputs, spec: SandboxSpec): string {
  const { role, display, limits, network = { mode: 'no-network' }, seeds } = spec;
  const { workspace = defaultWorkspace } = spec;
  const hash = createHash('sha256');
  const { width, height } = display;
  const sound = display.audio ? ['audio'] : [];
  const { cpus, memoryMb, pids, diskMb } = limits;
  const hosts = network.mode === 'allowlist' ? network.hosts : [];
  // The packages don't count: they are not in the sandbox before the agent asks for them.
  const gallery = network.gallery ? ['gallery'] : [];
  const words = [width, height, cpus, memoryMb, pids, diskMb, network.mode, ...hosts, ...gallery, ...sound];
  hash.update(JSON.stringify([goldenFormat, image, node, life, role, workspace, words]));
  if (setup !== undefined) hash.update(JSON.stringify(['setup', setup]));
  for (const seed of seeds) addSeed(hash, seed);
  return hash.digest('hex');
}

function addSeed(hash: Hash, seed: Seed | StreamedSeed): void {
  const { path, tar } = seed;
  if (tar instanceof Uint8Array) {
    hash.update(JSON.stringify([path, tar.byteLength]));
    hash.update(tar);
    return;
  }
  const digest = 'digest' in seed ? seed.digest : undefined;
  if (digest === undefined) throw new PwpError('bad-seed', `the archive for ${path} is read only once`);
  hash.update(JSON.stringify([path, 'digest', digest]));
}

/** A sandbox that was restored ahead and is frozen. */
interface WarmSandbox {
  readonly sandbox: Sandbox;
  readonly frozen: AsyncDisposable;
}

/** Sandboxes restored ahead from one checkpoint at a time, frozen so that they take memory but no processor time. */
export class WarmPool implements AsyncDisposable {
  readonly #node: Node;
  readonly #width: number;
  #closing = new AbortController();
  #checkpoint = '';
  #warm: Promise<WarmSandbox | null>[] = [];

  /** @param width how many sandboxes are kept ready */
  constructor(node: Node, width: number) {
    this.#node = node;
    this.#width = width;
  }

  /** Takes a sandbox that is ready or on its way, and unfreezes it; undefined if the pool is empty. */
  async take(checkpoint: string): Promise<Sandbox | undefined> {
    if (checkpoint !== this.#checkpoint) await this.#empty();
    for (let next = this.#warm.shift(); next; next = this.#warm.shift()) {
      const warm = await next;
      if (!warm) continue;
      await warm.frozen[Symbol.asyncDispose]();
      return warm.sandbox;
    }
    return undefined;
  }

  /** Makes sure, in the background, that the requested number is ready. */
  fill(checkpoint: string, options: ForkOptions): void {
    this.#checkpoint = checkpoint;
    while (this.#warm.length < this.#width) this.#warm.push(this.#restore(checkpoint, options));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#closing = new AbortController();
    await this.#empty();
  }

  async #empty(): Promise<void> {
    const left = this.#warm.splice(0);
    for (const warm of await Promise.all(left)) {
      await warm?.frozen[Symbol.asyncDispose]();
      await warm?.sandbox[Symbol.asyncDispose]();
    }
  }

  /** Null if it fails: then the reset restores a sandbox itself, and reports the cause. */
  async #restore(checkpoint: string, options: ForkOptions): Promise<WarmSandbox | null> {
    const sandbox = await this.#node
      .fork(checkpoint, { ...options, signal: this.#closing.signal })
      .catch(() => null);
    if (!sandbox) return null;
    try {
      return { sandbox, frozen: await sandbox.freeze() };
    } catch {
      await sandbox[Symbol.asyncDispose]();
      return null;
    }
  }
}
