import { pipeline } from 'node:stream/promises';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { Refusals, type EgressFor } from '../../network/index.ts';
import type { Channels } from './channels.ts';

/** A sandbox's way out by a tunnel of the host's, which judges every connection and makes the real one. */
export function egressThrough(channels: Channels, tunnel: number | undefined): EgressFor {
  if (tunnel === undefined) return noEgress;
  return () => ({
    refusals: new Refusals(),
    accept: (client) => {
      // It rejects when either side breaks off; both are ended then.
      pipeline(client, channels.open(tunnel), client).catch(() => undefined);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

function noEgress(): never {
  throw new PwpError('unsupported', 'a sandbox with a network needs a tunnel to the host');
}
