import * as z from 'zod';
import { PwpError } from '../../../bridge/lib/index.ts';
import { actor, handOver, person } from '../../../bridge/protocol/index.ts';
import { type Actor, controlHeldError, type LeaseHandOver, type LeaseState } from '../lease.ts';
import type { ClockTime } from '../shared-state.ts';

/** An agent's action goes on for at most this long after a person has taken the lease, in milliseconds. */
export const leaseGraceMs = 5000;

const requestLifetimeMs = 3_600_000;
const mostKeptEntries = { requests: 20, lost: 20 };

/** Milliseconds until the lease ends unless it is used again; less than 0 when it has. */
export function computeLeftMs(holder: StoredHolder, used: LeaseRenewal | null, now: ClockTime): number {
  const usedMs = used?.hold === holder.hold ? Math.max(used.atMs, holder.takenMs) : holder.takenMs;
  return usedMs + holder.ttlMs - now.ms;
}

/** @param hold names the new lease. Errors: `control-held` where another person has it. */
export function takeLease(
  record: LeaseRecord,
  taken: Omit<StoredHolder, 'takenMs' | 'since'>,
  force: boolean,
  now: ClockTime,
): LeaseRecord {
  const { holder } = record;
  if (holder && holder.actor.id !== taken.actor.id && !force) throw controlHeldError(holder, taken.actor);
  const to: LeaseHandOver = { how: 'taken', from: holder?.actor ?? null, by: taken.actor, at: now.iso };
  const free = holder ? closeLease(record, holder, to) : { ...record, last: to };
  return {
    ...free,
    revision: record.revision + 1,
    holder: { ...taken, since: now.iso, takenMs: now.ms },
    settled: false,
    requests: keepRecentRequests(free, now).filter(({ actor }) => actor.id !== taken.actor.id),
  };
}

/** Ends the lease of `holder`; the record as it is where that one has no lease any longer. */
export function endLease(
  record: LeaseRecord,
  hold: string,
  how: Exclude<LeaseHandOver['how'], 'taken'>,
  by: Actor | null,
  now: ClockTime,
): LeaseRecord {
  const { holder } = record;
  if (holder?.hold !== hold) return record;
  const free = closeLease(record, holder, { how, from: holder.actor, by, at: now.iso });
  return { ...free, revision: record.revision + 1, holder: null, settled: false };
}

function closeLease(record: LeaseRecord, { hold }: StoredHolder, to: LeaseHandOver): LeaseRecord {
  const lost = [{ hold, to }, ...record.lost].slice(0, mostKeptEntries.lost);
  return { ...record, turns: record.turns + 1, last: to, lost };
}

/** Every key and button was released after the last change of hands. */
export function markKeysReleased(record: LeaseRecord): LeaseRecord {
  return { ...record, settled: true };
}

export function changeWatchRight(record: LeaseRecord, hold: string, on: boolean): LeaseRecord {
  const { holder } = record;
  if (holder?.hold !== hold) throw makeControlLostError(record, hold);
  if (holder.letsWatch === on) return record;
  return { ...record, revision: record.revision + 1, holder: { ...holder, letsWatch: on } };
}

export function recordLook(record: LeaseRecord, turn: number): LeaseRecord {
  const seen = Math.min(turn, record.turns);
  if (seen <= record.looked) return record;
  return { ...record, revision: record.revision + 1, looked: seen };
}

export function addLeaseRequest(record: LeaseRecord, actor: Actor, why: string, now: ClockTime): LeaseRecord {
  const others = keepRecentRequests(record, now).filter((one) => one.actor.id !== actor.id);
  const requests = [...others, { actor, why, at: now.iso, atMs: now.ms }].slice(-mostKeptEntries.requests);
  return { ...record, revision: record.revision + 1, requests };
}

export function withdrawLeaseRequest(record: LeaseRecord, id: string): LeaseRecord {
  const requests = record.requests.filter(({ actor }) => actor.id !== id);
  if (requests.length === record.requests.length) return record;
  return { ...record, revision: record.revision + 1, requests };
}

function keepRecentRequests({ requests }: LeaseRecord, now: ClockTime): LeaseRecord['requests'] {
  return requests.filter(({ atMs }) => now.ms - atMs < requestLifetimeMs);
}

/** Why the asker may not act; undefined if they may. `hold`: a person's lease; an agent has none. */
export function findLeaseRefusal(record: LeaseRecord, hold: string | undefined): PwpError | undefined {
  const { holder } = record;
  if (hold !== undefined) return holder?.hold === hold ? undefined : makeControlLostError(record, hold);
  return holder ? controlHeldError(holder) : undefined;
}

export function makeControlLostError(record: LeaseRecord, hold: string): PwpError {
  const to = record.lost.find((one) => one.hold === hold)?.to;
  return new PwpError('control-lost', to ? explainLoss(to) : 'you do not have control', {
    help: 'Take control again to act.',
  });
}

function explainLoss({ how, by }: LeaseHandOver): string {
  switch (how) {
    case 'taken':
      return `control was taken by ${by?.name ?? 'someone'}`;
    case 'given':
      return 'control was given back';
    case 'revoked':
      return `control was revoked by ${by?.name ?? 'someone'}`;
    case 'expired':
      return 'control has ended: it was not used or renewed in time';
    case 'ended':
      return 'control has ended with the connection that took it';
  }
}

/** The part of the lease that everyone may know. */
export function describeLease(record: LeaseRecord, used: LeaseRenewal | null, now: ClockTime): LeaseState {
  const { revision, holder, turns, looked: seen, last } = record;
  return {
    revision,
    holder: holder && {
      actor: holder.actor,
      since: holder.since,
      leftMs: Math.max(0, computeLeftMs(holder, used, now)),
      ttlMs: holder.ttlMs,
      letsWatch: holder.letsWatch,
    },
    turns,
    looked: seen,
    requests: keepRecentRequests(record, now).map(({ actor, why, at }) => ({ actor, why, at })),
    last,
  };
}

const isoTimeSchema = z.iso.datetime();
/** Milliseconds of a clock that all processes of the machine share and that does not jump. */
const millisecondsSchema = z.number().nonnegative();

const storedHolder = z.object({
  hold: z.string().describe('the secret by which its holder is known'),
  actor: person,
  since: isoTimeSchema,
  takenMs: millisecondsSchema,
  ttlMs: millisecondsSchema,
  letsWatch: z.boolean(),
  process: z
    .object({ pid: z.int().positive(), startTime: z.string() })
    .describe('it took the lease; with its end the lease ends'),
});

/** The lease of a sandbox as its file has it. */
export const leaseRecordSchema = z.object({
  revision: z.int().nonnegative(),
  holder: storedHolder.nullable(),
  turns: z.int().nonnegative(),
  looked: z.int().nonnegative(),
  settled: z.boolean().describe('every key and button was released since the last change of hands'),
  requests: z
    .array(z.object({ actor, why: z.string(), at: isoTimeSchema, atMs: millisecondsSchema }))
    .readonly(),
  last: handOver.nullable(),
  lost: z
    .array(z.object({ hold: z.string(), to: handOver }))
    .readonly()
    .describe('the newest leases that have ended, the newest first'),
});
export type LeaseRecord = z.output<typeof leaseRecordSchema>;
export type StoredHolder = z.output<typeof storedHolder>;

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
export const renewalSchema = z.object({ hold: z.string(), atMs: millisecondsSchema });
export type LeaseRenewal = z.output<typeof renewalSchema>;
