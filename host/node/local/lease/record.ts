import * as z from 'zod';
import { actor, handOver, person } from '../../../../bridge/protocol/index.ts';

const iso = z.iso.datetime();
/** Milliseconds of a clock that all processes of the machine share and that does not jump. */
const ms = z.number().nonnegative();

const holder = z.object({
  hold: z.string().describe('the secret by which its holder is known'),
  actor: person,
  since: iso,
  takenMs: ms,
  ttlMs: ms,
  letsWatch: z.boolean(),
  process: z
    .object({ pid: z.int().positive(), startTime: z.string() })
    .describe('it took the lease; with its end the lease ends'),
});

/** The lease of a sandbox as its file has it. */
export const leaseRecord = z.object({
  revision: z.int().nonnegative(),
  holder: holder.nullable(),
  turns: z.int().nonnegative(),
  looked: z.int().nonnegative(),
  settled: z.boolean().describe('every key and button was released since the last change of hands'),
  requests: z.array(z.object({ actor, why: z.string(), at: iso, atMs: ms })).readonly(),
  last: handOver.nullable(),
  lost: z
    .array(z.object({ hold: z.string(), to: handOver }))
    .readonly()
    .describe('the newest leases that have ended, the newest first'),
});
export type LeaseRecord = z.output<typeof leaseRecord>;
export type StoredHolder = z.output<typeof holder>;

export const noLease: LeaseRecord = {
  revision: 0,
  holder: null,
  turns: 0,
  looked: 0,
  settled: true,
  requests: [],
  last: null,
  lost: [],
};

/** When the holder used the lease last, in a file of its own: renewals are frequent and change nothing else. */
export const renewal = z.object({ hold: z.string(), atMs: ms });
export type Renewal = z.output<typeof renewal>;
