import { neverAborted, type Cancellable } from '../../bridge/lib/index.ts';
import type { CheckpointInfo, Node } from '../node/index.ts';
import type { Checkpoint } from './types.ts';

/** The checkpoints of a node, those of one episode with the step that they were taken after. */
export class Checkpoints {
  readonly #node: Node;
  readonly #steps = new Map<string, number>();

  constructor(node: Node) {
    this.#node = node;
  }

  /** All that the node keeps, the oldest first. */
  async list(): Promise<Checkpoint[]> {
    return (await this.#node.checkpoints()).map((info) => this.#tied(info));
  }

  /** Errors: `no-such-checkpoint`, `checkpoint-in-use`. */
  delete(id: string): Promise<void> {
    return this.#node.deleteCheckpoint(id);
  }

  /** Writes a checkpoint to one file. Errors: `no-such-checkpoint`, `checkpoint-damaged`, `disk-full`. */
  export(id: string, path: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    return this.#node.exportCheckpoint(id, path, { signal });
  }

  /** Reads such a file. Errors: `checkpoint-damaged`, `disk-full`. */
  async import(path: string, { signal = neverAborted }: Cancellable = {}): Promise<Checkpoint> {
    return this.#tied(await this.#node.importCheckpoint(path, { signal }));
  }

  /** Ties a checkpoint to the step of this episode that was the last before it; 0 is the start. */
  tie(id: string, step: number): number {
    this.#steps.set(id, step);
    return step;
  }

  /** Null for a checkpoint that was not taken in this episode. */
  stepOf(id: string): number | null {
    return this.#steps.get(id) ?? null;
  }

  /** Another episode begins. */
  forget(): void {
    this.#steps.clear();
  }

  #tied(info: CheckpointInfo): Checkpoint {
    return { ...info, step: this.stepOf(info.id) };
  }
}
