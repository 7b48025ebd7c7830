import type { Duplex } from 'node:stream';
import type { Refusals } from './refusals.ts';

/** Connections of one sandbox at a time. */
export const maxConnections = 128;
/** Silence after which a connection is ended, in milliseconds. */
export const idleMs = 300_000;

/** The part that answers the connections of one sandbox's programs. Disposing it ends them. */
export interface Egress extends AsyncDisposable {
  readonly refusals: Refusals;
  /** Takes a connection over. */
  accept(client: Duplex): void;
}
