import * as z from 'zod';
import { event } from './descriptor.ts';
import { stream } from './stream.ts';

/**
 * Connections of sandboxes that a node passes to the host, which makes the real ones: the node itself needs no network.
 */
export const tunnel = {
  /** A program in a sandbox has connected; by the number that the host gave at the sandbox's start. */
  open: event('tunnel.open', z.object({ tunnel: z.int().positive(), stream })),
};
