import * as z from 'zod';

/** Why the proxy of a sandbox did not make a connection. */
export const refusalReason = z.enum([
  'host-not-allowed',
  'port-not-allowed',
  /** An IP address that is not on the list. */
  'address-not-allowed',
  /** The host is not public: loopback, a local network, this machine. */
  'private-address',
  /** The connection was not accepted, so its host and port are unknown: empty and 0. */
  'too-many-connections',
]);
export type RefusalReason = z.output<typeof refusalReason>;

/** A connection that the proxy did not make. */
export const refusal = z.object({
  host: z.string().max(300),
  port: z.int().nonnegative(),
  why: refusalReason,
  at: z.string().max(40).describe('ISO 8601'),
});
export type Refusal = Readonly<z.output<typeof refusal>>;
