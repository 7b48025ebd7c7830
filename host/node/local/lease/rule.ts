import { PwpError } from '../../../../bridge/lib/index.ts';
import { heldBy } from '../../held.ts';
import type { Actor, HandOver, LeaseState } from '../../lease.ts';
import type { Now } from './clock.ts';
import type { LeaseRecord, Renewal, StoredHolder } from './record.ts';

/** An agent's action goes on for at most this long after a person has taken the lease, in milliseconds. */
export const graceMs = 5000;

const requestsKeepMs = 3_600_000;
const most = { requests: 20, lost: 20 };

/** Milliseconds until the lease ends unless it is used again; less than 0 when it has. */
export function leftMs(holder: StoredHolder, used: Renewal | null, now: Now): number {
  const usedMs = used?.hold === holder.hold ? Math.max(used.atMs, holder.takenMs) : holder.takenMs;
  return usedMs + holder.ttlMs - now.ms;
}

/** @param hold names the new lease. Errors: `control-held` where another person has it. */
export function take(
  record: LeaseRecord,
  taken: Omit<StoredHolder, 'takenMs' | 'since'>,
  force: boolean,
  now: Now,
): LeaseRecord {
  const { holder } = record;
  if (holder && holder.actor.id !== taken.actor.id && !force) throw heldBy(holder, taken.actor);
  const to: HandOver = { how: 'taken', from: holder?.actor ?? null, by: taken.actor, at: now.iso };
  const free = holder ? over(record, holder, to) : { ...record, last: to };
  return {
    ...free,
    revision: record.revision + 1,
    holder: { ...taken, since: now.iso, takenMs: now.ms },
    settled: false,
    requests: recent(free, now).filter(({ actor }) => actor.id !== taken.actor.id),
  };
}

/** Ends the lease of `holder`; the record as it is where that one has no lease any longer. */
export function end(
  record: LeaseRecord,
  hold: string,
  how: Exclude<HandOver['how'], 'taken'>,
  by: Actor | null,
  now: Now,
): LeaseRecord {
  const { holder } = record;
  if (holder?.hold !== hold) return record;
  const free = over(record, holder, { how, from: holder.actor, by, at: now.iso });
  return { ...free, revision: record.revision + 1, holder: null, settled: false };
}

function over(record: LeaseRecord, { hold }: StoredHolder, to: HandOver): LeaseRecord {
  const lost = [{ hold, to }, ...record.lost].slice(0, most.lost);
  return { ...record, turns: record.turns + 1, last: to, lost };
}

/** Every key and button was released after the last change of hands. */
export function settle(record: LeaseRecord): LeaseRecord {
  return { ...record, settled: true };
}

export function letWatch(record: LeaseRecord, hold: string, on: boolean): LeaseRecord {
  const { holder } = record;
  if (holder?.hold !== hold) throw lost(record, hold);
  if (holder.letsWatch === on) return record;
  return { ...record, revision: record.revision + 1, holder: { ...holder, letsWatch: on } };
}

export function looked(record: LeaseRecord, turn: number): LeaseRecord {
  const seen = Math.min(turn, record.turns);
  if (seen <= record.looked) return record;
  return { ...record, revision: record.revision + 1, looked: seen };
}

export function request(record: LeaseRecord, actor: Actor, why: string, now: Now): LeaseRecord {
  const others = recent(record, now).filter((one) => one.actor.id !== actor.id);
  const requests = [...others, { actor, why, at: now.iso, atMs: now.ms }].slice(-most.requests);
  return { ...record, revision: record.revision + 1, requests };
}

export function withdraw(record: LeaseRecord, id: string): LeaseRecord {
  const requests = record.requests.filter(({ actor }) => actor.id !== id);
  if (requests.length === record.requests.length) return record;
  return { ...record, revision: record.revision + 1, requests };
}

function recent({ requests }: LeaseRecord, now: Now): LeaseRecord['requests'] {
  return requests.filter(({ atMs }) => now.ms - atMs < requestsKeepMs);
}

/** Why the asker may not act; undefined if they may. `hold`: a person's lease; an agent has none. */
export function refusal(record: LeaseRecord, hold: string | undefined): PwpError | undefined {
  const { holder } = record;
  if (hold !== undefined) return holder?.hold === hold ? undefined : lost(record, hold);
  return holder ? heldBy(holder) : undefined;
}

export function lost(record: LeaseRecord, hold: string): PwpError {
  const to = record.lost.find((one) => one.hold === hold)?.to;
  return new PwpError('control-lost', to ? lostText(to) : 'you do not have control', {
    help: 'Take control again to act.',
  });
}

function lostText({ how, by }: HandOver): string {
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
export function stateOf(record: LeaseRecord, used: Renewal | null, now: Now): LeaseState {
  const { revision, holder, turns, looked: seen, last } = record;
  return {
    revision,
    holder: holder && {
      actor: holder.actor,
      since: holder.since,
      leftMs: Math.max(0, leftMs(holder, used, now)),
      ttlMs: holder.ttlMs,
      letsWatch: holder.letsWatch,
    },
    turns,
    looked: seen,
    requests: recent(record, now).map(({ actor, why, at }) => ({ actor, why, at })),
    last,
  };
}
