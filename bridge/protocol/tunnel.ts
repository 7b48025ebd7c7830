import * as z from 'zod';
import { event } from './descriptor.ts';
import { limits } from './limits.ts';

const channel = z.int().positive().describe('numbered by the node');

/**
 * Connections of sandboxes that a node hands to the host, which makes the real ones: the node itself needs no network.
 * A side sends no more than the other has given it credit for.
 */
export const tunnel = {
  /** A program in a sandbox has connected; by the number that the host gave at the sandbox's start. */
  open: event('tunnel.open', z.object({ tunnel: z.int().positive(), channel })),
  data: event(
    'tunnel.data',
    z.object({ channel, base64: z.base64().max(Math.ceil(limits.tunnelPieceBytes / 3) * 4) }),
  ),
  /** So many bytes have been read, and as many more may come. */
  credit: event('tunnel.credit', z.object({ channel, bytes: z.int().positive() })),
  /** No more data will come from this side. */
  end: event('tunnel.end', z.object({ channel })),
  /** The channel is over, both ways. */
  close: event('tunnel.close', z.object({ channel })),
};
