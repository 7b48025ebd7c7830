import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PwpError } from '../../../bridge/lib/index.ts';
import { tunnel } from '../../../bridge/protocol/index.ts';
import type { ByteStream, Peer } from '../../../bridge/rpc/index.ts';
import { type Egress, type EgressFactory, RefusalLog } from '../network/index.ts';

/** A sandbox's way out by a tunnel of the host's, which judges every connection and makes the real one. */
export function createTunnelEgress(peer: Peer, number: number | undefined): EgressFactory {
  if (number === undefined) return refuseEgress;
  return () => {
    const refusals = new RefusalLog();
    const accept = (client: Duplex) => {
      const stream = openTunnelStream(peer, number);
      if (!stream) {
        client.destroy();
        refusals.add({ host: '', port: 0 }, 'too-many-connections');
        return;
      }
      // It rejects when either side breaks off; both are ended then.
      pipeline(client, stream, client).catch(() => undefined);
    };
    return { refusals, accept, [Symbol.asyncDispose]: () => Promise.resolve() };
  };
}

/** Undefined if the connection to the host has ended or has no room for another stream. */
function openTunnelStream(peer: Peer, number: number): ByteStream | undefined {
  try {
    const stream = peer.streams.open('both');
    peer.notify(tunnel.open, { tunnel: number, stream: stream.id });
    return stream;
  } catch {
    return undefined;
  }
}

function refuseEgress(): never {
  throw new PwpError('unsupported', 'a sandbox with a network needs a tunnel to the host');
}

/** On the host's side: which exit answers the connections of which sandbox. */
export class EgressTunnels {
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
