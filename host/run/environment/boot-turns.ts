import { availableParallelism } from 'node:os';
import { raceSignal } from '../../../bridge/lib/index.ts';
import type { Node } from '../../node/index.ts';

/** A burst of boots takes longer in total, and slows the sandboxes that already work. */
const bootsAtOnce = Math.max(1, Math.floor(availableParallelism() / 2));

const turnsByNode = new WeakMap<Node, BootTurns>();

/** The turns that all environments of this process share on a node. */
export function findBootTurns(node: Node): BootTurns {
  const turns = turnsByNode.get(node) ?? new BootTurns(bootsAtOnce);
  turnsByNode.set(node, turns);
  return turns;
}

/** Lets a few sandboxes boot at a time, and one of each golden key look for its checkpoint or make it. */
export class BootTurns {
  readonly #width: number;
  readonly #flights = new Map<string, Promise<void>>();
  #booting = 0;
  #freed = Promise.withResolvers<void>();

  /** @param width maximum number of boots at once */
  constructor(width: number) {
    this.#width = width;
  }

  /** Waits for a turn to boot, which ends when the result is disposed. */
  async boot(signal: AbortSignal): Promise<Disposable> {
    while (this.#booting >= this.#width) await raceSignal(this.#freed.promise, signal);
    this.#booting += 1;
    const turn = new DisposableStack();
    turn.defer(() => {
      const { resolve } = this.#freed;
      this.#freed = Promise.withResolvers();
      this.#booting -= 1;
      resolve();
    });
    return turn;
  }

  /**
   * The flight of a golden key, until the result is disposed. Waits for the one that is under way, but only once: if that
   * one leaves no checkpoint, all who waited go on at the same time.
   */
  async flight(key: string, signal: AbortSignal): Promise<Disposable> {
    const underWay = this.#flights.get(key);
    if (underWay) await raceSignal(underWay, signal);
    const flight = new DisposableStack();
    if (this.#flights.has(key)) return flight;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#flights.set(key, promise);
    flight.defer(() => {
      this.#flights.delete(key);
      resolve();
    });
    return flight;
  }
}
