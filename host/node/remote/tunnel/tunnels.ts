import type { Egress } from '../../network/index.ts';
import type { Channels } from './channels.ts';

/** On the host's side: what answers the connections of which sandbox. */
export class Tunnels {
  readonly #exits = new Map<number, Egress>();
  #next = 1;

  constructor(channels: Channels) {
    channels.onOpen((number, channel) => {
      const exit = this.#exits.get(number);
      exit?.accept(channel);
      return exit !== undefined;
    });
  }

  /** Returns the number that the node is to use. */
  add(exit: Egress): number {
    const number = this.#next++;
    this.#exits.set(number, exit);
    return number;
  }

  /** Ends a tunnel and all its connections; a no-op for one that is gone. */
  async remove(number: number): Promise<void> {
    const exit = this.#exits.get(number);
    this.#exits.delete(number);
    await exit?.[Symbol.asyncDispose]();
  }
}
