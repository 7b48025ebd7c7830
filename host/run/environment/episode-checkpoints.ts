import type { Cancellable } from '../../../bridge/lib/index.ts';
import type { Checkpoint } from '../../ide/index.ts';
import type { CheckpointInfo, Node } from '../../node/index.ts';

/** The checkpoints of a node, those of one episode with the step that they were taken after. */
export interface EnvironmentCheckpoints {
  /** All checkpoints of the node, the oldest first. */
  list(): Promise<Checkpoint[]>;
  /** Errors: `no-such-checkpoint`, `checkpoint-in-use`. */
  delete(id: string): Promise<void>;
  /** Writes a checkpoint to one file. Errors: `no-such-checkpoint`, `checkpoint-damaged`, `disk-full`. */
  export(id: string, path: string, options?: Cancellable): Promise<void>;
  /** Reads an exported file. Errors: `checkpoint-damaged`, `disk-full`. */
  import(path: string, options?: Cancellable): Promise<Checkpoint>;
  /** The step that a checkpoint was taken after; null for one that was not taken in this episode. */
  stepOf(id: string): number | null;
}

/** The same for an environment, which knows the step that each checkpoint was taken after. */
export class EpisodeCheckpoints implements EnvironmentCheckpoints {
  readonly #node: Node;
  readonly #steps = new Map<string, number>();

  constructor(node: Node) {
    this.#node = node;
  }

  async list(): Promise<Checkpoint[]> {
    return (await this.#node.checkpoints()).map((info) => this.#withStep(info));
  }

  delete(id: string): Promise<void> {
    return this.#node.deleteCheckpoint(id);
  }

  export(id: string, path: string, options?: Cancellable): Promise<void> {
    return this.#node.exportCheckpoint(id, path, options);
  }

  async import(path: string, options?: Cancellable): Promise<Checkpoint> {
    return this.#withStep(await this.#node.importCheckpoint(path, options));
  }

  stepOf(id: string): number | null {
    return this.#steps.get(id) ?? null;
  }

  /** Notes the step of this episode that was the last before a checkpoint; 0 is the start. */
  note(id: string, step: number): number {
    this.#steps.set(id, step);
    return step;
  }

  /** Another episode begins. */
  clear(): void {
    this.#steps.clear();
  }

  #withStep(info: CheckpointInfo): Checkpoint {
    return { ...info, step: this.stepOf(info.id) };
  }
}

/** Makes things in parallel; if one fails, disposes those that were made and throws the first failure. */
export async function makeAllOrDispose<T extends AsyncDisposable>(
  count: number,
  make: () => Promise<T>,
): Promise<T[]> {
  const ends = await Promise.allSettled(Array.from({ length: count }, make));
  const made = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  const failed = ends.find((end) => end.status === 'rejected');
  if (!failed) return made;
  await Promise.allSettled(made.map((one) => one[Symbol.asyncDispose]()));
  throw failed.reason;
}
