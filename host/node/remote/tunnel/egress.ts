import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { tunnel } from '../../../../bridge/protocol/index.ts';
import type { ByteStream, Peer } from '../../../../bridge/rpc/index.ts';
import { Refusals, type EgressFor } from '../../network/index.ts';

/** A sandbox's way out by a tunnel of the host's, which judges every connection and makes the real one. */
export function egressThrough(peer: Peer, number: number | undefined): EgressFor {
  if (number === undefined) return noEgress;
  return () => {
    const refusals = new Refusals();
    const accept = (client: Duplex) => {
      const stream = openTo(peer, number);
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
function openTo(peer: Peer, number: number): ByteStream | undefined {
  try {
    const stream = peer.streams.open('both');
    peer.notify(tunnel.open, { tunnel: number, stream: stream.id });
    return stream;
  } catch {
    return undefined;
  }
}

function noEgress(): never {
  throw new PwpError('unsupported', 'a sandbox with a network needs a tunnel to the host');
}
