import { tunnel } from '../../../../bridge/protocol/index.ts';
import type { Peer } from '../../../../bridge/rpc/index.ts';
import type { Egress } from '../../network/index.ts';

/** On the host's side: which exit answers the connections of which sandbox. */
export class Tunnels {
  readonly #exits = new Map<number, Egress>();
  #next = 1;

  constructor(peer: Peer) {
    peer.on(tunnel.open, ({ tunnel: number, stream: id }) => {
      const stream = peer.streams.accept(id, 'both');
      const exit = this.#exits.get(number);
      if (stream && exit) exit.accept(stream);
      else stream?.destroy();
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
