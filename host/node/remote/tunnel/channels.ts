import { tunnel } from '../../../../bridge/protocol/index.ts';
import type { Peer } from '../../../../bridge/rpc/index.ts';
import { Channel } from './channel.ts';

/** The channels that are open on one connection, on either side of it. */
export class Channels {
  readonly #peer: Peer;
  readonly #open = new Map<number, Channel>();
  #next = 1;

  constructor(peer: Peer) {
    this.#peer = peer;
    peer.on(tunnel.data, ({ channel, base64 }) =>
      this.#open.get(channel)?.receive(Buffer.from(base64, 'base64')),
    );
    peer.on(tunnel.credit, ({ channel, bytes }) => this.#open.get(channel)?.receiveCredit(bytes));
    peer.on(tunnel.end, ({ channel }) => this.#open.get(channel)?.receiveEnd());
    peer.on(tunnel.close, ({ channel }) => this.#open.get(channel)?.receiveClose());
    void peer.closed.then(() => {
      for (const channel of this.#open.values()) channel.destroy();
    });
  }

  /** Opens a channel to the other side. */
  open(number: number): Channel {
    const channel = this.#next++;
    this.#peer.notify(tunnel.open, { tunnel: number, channel });
    return this.#add(channel);
  }

  /**
   * Accepts the channels that the other side opens.
   * @param accept gets the number of the tunnel; says false for one that it does not know
   */
  onOpen(accept: (number: number, channel: Channel) => boolean): void {
    this.#peer.on(tunnel.open, ({ tunnel: number, channel }) => {
      const opened = this.#open.has(channel) ? undefined : this.#add(channel);
      if (opened && !accept(number, opened)) opened.destroy();
    });
  }

  #add(number: number): Channel {
    const channel = new Channel(this.#peer, number);
    this.#open.set(number, channel);
    channel.once('close', () => this.#open.delete(number));
    return channel;
  }
}
