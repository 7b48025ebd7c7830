import { PwpError, deadline, messageOf } from '../../../bridge/lib/index.ts';
import { dom } from '../../../bridge/protocol/index.ts';
import type { CheckpointInfo, Node, Sandbox, SandboxSpec } from '../../node/index.ts';
import { goldenKey } from './key.ts';
import { WarmPool } from './pool.ts';

/** A sandbox in its initial state, ready. */
export interface Started {
  readonly sandbox: Sandbox;
  readonly from: 'cold' | 'golden';
  /** Milliseconds until it was ready. */
  readonly startMs: number;
  /** What it was restored from, or what was taken of it; null for neither. */
  readonly checkpoint: string | null;
  readonly notes: readonly string[];
}

export interface StarterOptions {
  readonly node: Node;
  /** Boots each one, and takes no golden checkpoint. */
  readonly cold: boolean;
  /** What an IDE may take from the start of its sandbox until it is ready, in milliseconds. */
  readonly bootMs: number;
  /** Sandboxes restored ahead. */
  readonly warm: number;
}

/** A restored IDE is ready at once; one that isn't by then, in milliseconds, never will be. */
const restoredMs = 30_000;

/** What a boot helps against; everything else, such as a machine without memory, a boot would meet as well. */
const badCheckpoint = [
  'no-such-checkpoint',
  'checkpoint-damaged',
  'checkpoint-other-image',
  'restore-failed',
];

/**
 * Brings up sandboxes in an initial state: booted the first time, then restored from the golden checkpoint that was
 * taken after that boot. Where the node can't do live checkpoints each one is booted.
 */
export class Starter implements AsyncDisposable {
  readonly #options: StarterOptions;
  readonly #pool: WarmPool;

  constructor(options: StarterOptions) {
    this.#options = options;
    this.#pool = new WarmPool(options.node, options.warm);
  }

  async start(spec: SandboxSpec, signal: AbortSignal): Promise<Started> {
    const start = performance.now();
    const { node, cold, bootMs } = this.#options;
    if (cold || (await node.checkpointSupport({ signal })).kind !== 'live')
      return boot(node, spec, { start, bootMs, signal });
    const key = await goldenKey(node, spec, signal);
    const notes: string[] = [];
    const golden = await node.findCheckpoint(key);
    const restored = golden && (await this.#restore(golden, spec, notes, signal));
    if (restored) return { ...restored, startMs: performance.now() - start, notes };
    const booted = await boot(node, spec, { start, bootMs, signal });
    const checkpoint = await keep(booted.sandbox, key, spec.name, notes, signal);
    if (checkpoint !== null) this.#pool.fill(checkpoint, spec.name);
    return { ...booted, checkpoint, notes };
  }

  /** Ends the sandboxes that were restored ahead. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool[Symbol.asyncDispose]();
  }

  /** Undefined if the checkpoint is no good: it is dropped, and the notes say so. */
  async #restore(
    { id }: CheckpointInfo,
    { name }: SandboxSpec,
    notes: string[],
    signal: AbortSignal,
  ): Promise<Omit<Started, 'startMs' | 'notes'> | undefined> {
    const { node } = this.#options;
    try {
      const sandbox = (await this.#pool.take(id)) ?? (await node.fork(id, { name, keep: false, signal }));
      await readySoon(sandbox, signal);
      this.#pool.fill(id, name);
      return { sandbox, from: 'golden', checkpoint: id };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof PwpError) || !badCheckpoint.includes(error.code)) throw error;
      notes.push(`golden checkpoint ${id} can't be used, so the IDE was booted: ${messageOf(error)}`);
      // One that is in use stays, and the next reset comes back to it.
      await node.deleteCheckpoint(id).catch(() => undefined);
      return undefined;
    }
  }
}

/** Errors: those of `Node.start` and `Sandbox.ready`. */
async function boot(
  node: Node,
  spec: SandboxSpec,
  { start, bootMs, signal }: { start: number; bootMs: number; signal: AbortSignal },
): Promise<Started> {
  const sandbox = await node.start(spec, { signal });
  try {
    using limit = deadline(`boot of ${spec.name}`, bootMs, signal);
    await sandbox.ready({ signal: limit.signal });
  } catch (error) {
    await sandbox[Symbol.asyncDispose]();
    throw error;
  }
  return { sandbox, from: 'cold', startMs: performance.now() - start, checkpoint: null, notes: [] };
}

async function readySoon(sandbox: Sandbox, signal: AbortSignal): Promise<void> {
  using limit = deadline('restored IDE', restoredMs, signal);
  try {
    await sandbox.ready({ signal: limit.signal });
    // The bridge may well be ready while the window is not.
    await sandbox.call(dom.activity, {}, { signal: limit.signal });
  } catch (cause) {
    await sandbox[Symbol.asyncDispose]();
    signal.throwIfAborted();
    throw new PwpError('restore-failed', `the IDE was restored but does not answer: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** Null if none could be taken: the episode continues without. */
async function keep(
  sandbox: Sandbox,
  key: string,
  name: string,
  notes: string[],
  signal: AbortSignal,
): Promise<string | null> {
  try {
    // What is restored a hundred times should be at rest.
    await sandbox.settle({ capMs: settleCapMs, pointerOnly: false, signal });
    return (await sandbox.checkpoint({ key, name: `golden ${name}`, kind: 'live', signal })).id;
  } catch (error) {
    signal.throwIfAborted();
    notes.push(`no golden checkpoint could be taken: ${messageOf(error)}`);
    return null;
  }
}

/** Milliseconds. */
const settleCapMs = 4000;
