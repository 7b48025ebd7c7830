import { pipeline } from 'node:stream/promises';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { Refusals, type ExitFor } from '../../network/index.ts';
import type { Channels } from './channels.ts';

/** A sandbox's way out by a tunnel of the host's, which judges every connection and makes the real one. */
export function exitThrough(channels: Channels, tunnel: number | undefined): ExitFor {
  if (tunnel === undefined) return noExit;
  return () => ({
    refusals: new Refusals(),
    accept: (client) => {
      // It rejects when either side breaks off; both are ended then.
      pipeline(client, channels.open(tunnel), client).catch(() => undefined);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

function noExit(): never {
  throw new PwpError('unsupported', 'a sandbox with a network needs a tunnel to the host');
}
