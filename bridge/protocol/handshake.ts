import * as z from 'zod';
import { method } from './descriptor.ts';

/** Increased by one whenever a method's name, parameters or result, or a frame of byte streams, changes incompatibly. */
export const PROTOCOL_VERSION = 2;

/** The first request on every connection. A server of another version answers `VersionMismatch`. */
export const hello = method(
  'hello',
  z.object({
    protocol: z.int().describe("the caller's PROTOCOL_VERSION"),
    client: z.string().max(200).describe('who is calling, for logs'),
  }),
  z.object({
    protocol: z.int(),
    server: z.enum(['bridge', 'extension', 'node']),
    version: z.string().max(200).describe('version of the server program'),
  }),
);
