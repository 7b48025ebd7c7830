import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import {
  type Cancellable,
  deadline,
  neverAborted,
  poll,
  PwpError,
  raceSignal,
} from '../../../bridge/lib/index.ts';
import { actor as actorSchema, leaseTtl, person as personSchema } from '../../../bridge/protocol/index.ts';
import { isProcessAlive, type ProcessIdentity } from '../../lib/index.ts';
import { isPressingCommand, isVisibleCommand, type PlayPermission, type XDisplay } from '../display/index.ts';
import type { InputCommand, InputResult } from '../input-commands.ts';
import type {
  Actor,
  Lease,
  LeaseHandOver,
  LeaseState,
  Person,
  TakeLeaseOptions,
  TakenLease,
} from '../lease.ts';
import { readClock, requireValid, SharedFile } from '../shared-state.ts';
import * as rule from './lease-rules.ts';
import {
  type LeaseRecord,
  leaseRecordSchema,
  type LeaseRenewal,
  noLease,
  renewalSchema,
  type StoredHolder,
} from './lease-rules.ts';

/** Pause between two looks for a change, in milliseconds, and the number of looks between two checks of the holder. */
const leaseLookMs = 100;
const looksPerCheck = 10;
/** Renewals that follow each other faster are not written, in milliseconds. */
const renewMs = 250;
/** Longest wait for the keys to be let go when the holder's connection ends, in milliseconds. */
const partingMs = 2000;
/** The same whenever control changes hands: what is under way may go on for a while. */
const keyReleaseMs = 8000;

const timeToLive = z.number().min(leaseTtl.leastMs).max(leaseTtl.mostMs);
const reasonText = z.string().max(500);

/** The parts of the guarded sandbox that the lease needs. */
interface LeasedSandbox {
  /** Paths of the two files of the lease, outside the wall. */
  readonly paths: { readonly lease: string; readonly leaseUsed: string };
  /** This process, with whose end its leases end. */
  readonly process: () => Promise<ProcessIdentity>;
  /** Releases every key and button, once no other process is in the middle of its input. */
  readonly letGo: (signal: AbortSignal) => Promise<void>;
}

/** The lease of a sandbox on this machine. Disposing it ends the leases that were taken through it. */
export class LocalLease implements Lease, AsyncDisposable {
  readonly #guarded: LeasedSandbox;
  readonly #file: SharedFile<LeaseRecord>;
  readonly #used: SharedFile<LeaseRenewal | null>;
  readonly #own = new Set<string>();
  readonly #ending = new AbortController();

  constructor(guarded: LeasedSandbox) {
    this.#guarded = guarded;
    this.#file = new SharedFile(guarded.paths.lease, leaseRecordSchema, noLease);
    this.#used = new SharedFile<LeaseRenewal | null>(guarded.paths.leaseUsed, renewalSchema.nullable(), null);
  }

  async state({ signal = neverAborted }: Cancellable = {}): Promise<LeaseState> {
    const record = await this.#current(signal);
    // After a holder was killed, the next check of the lease lets its keys go; where that can't be done, the next one
    // who acts does it.
    if (!record.holder && !record.settled)
      await this.#settled(record, signal, this.#guarded.letGo).catch(() => signal.throwIfAborted());
    return this.#stateOf(record);
  }

  async changed(revision: number, { signal = neverAborted }: Cancellable = {}): Promise<LeaseState> {
    let looks = 0;
    const probe = () => {
      // Whether the holder is still there is not in the file.
      const differs = this.#file.read().revision !== revision || (looks += 1) % looksPerCheck === 0;
      return differs ? this.#unlike(revision, signal) : ({ done: false, saw: 'no change' } as const);
    };
    const until = AbortSignal.any([signal, this.#ending.signal]);
    return poll('a change of the lease', probe, { intervalMs: leaseLookMs, signal: until });
  }

  async take(
    person: Person,
    {
      ttlMs = leaseTtl.defaultMs,
      letWatch = false,
      force = false,
      signal = neverAborted,
    }: TakeLeaseOptions & Cancellable = {},
  ): Promise<TakenLease> {
    const taken = {
      hold: randomUUID(),
      actor: requireValid('person', personSchema, person),
      ttlMs: requireValid('time to live', timeToLive, ttlMs),
      letsWatch: letWatch,
      process: await this.#guarded.process(),
    };
    await this.#current(signal);
    const record = await this.#file.update(signal, (old) => rule.takeLease(old, taken, force, readClock()));
    this.#own.add(taken.hold);
    try {
      return {
        hold: taken.hold,
        state: this.#stateOf(await this.#settled(record, signal, this.#guarded.letGo)),
      };
    } catch (error) {
      await this.#mark(taken.hold, 'ended', null, neverAborted).catch(() => undefined);
      throw error;
    }
  }

  async renew(hold: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    this.#refuse(await this.#current(signal), hold);
    this.#use(hold);
  }

  async letWatch(hold: string, on: boolean, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await this.#current(signal);
    await this.#file.update(signal, (record) => rule.changeWatchRight(record, hold, on));
  }

  giveBack(hold: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    return this.#end(hold, 'given', this.#file.read().holder?.actor ?? null, signal);
  }

  async revoke(by: Actor, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    const { holder } = await this.#current(signal);
    if (holder) await this.#end(holder.hold, 'revoked', requireValid('actor', actorSchema, by), signal);
  }

  async request(by: Actor, why: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    const [asker, reason] = [requireValid('actor', actorSchema, by), requireValid('reason', reasonText, why)];
    await this.#file.update(signal, (record) => rule.addLeaseRequest(record, asker, reason, readClock()));
  }

  async withdraw(id: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await this.#file.update(signal, (record) => rule.withdrawLeaseRequest(record, id));
  }

  async looked(turn: number, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await this.#file.update(signal, (record) => rule.recordLook(record, turn));
  }

  /**
   * Comes before input is played: notices a lease that has run out, renews the lease of the one who acts.
   * @param letGo releases every key and button that the previous holder may have left down
   * Errors: `control-held`, `control-lost`.
   */
  async admit(
    hold: string | undefined,
    letGo: (signal: AbortSignal) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const record = this.#file.read();
    if (record === noLease) return;
    const current = await this.#current(signal);
    this.#refuse(current, hold);
    await this.#settled(current, signal, letGo);
    if (hold !== undefined) this.#use(hold);
  }

  /**
   * The display asks it while it plays the input of one who was admitted: each answer costs a `stat`.
   * @param graceMs milliseconds that a started action may go on after another has taken the lease
   */
  leave(hold: string | undefined, graceMs: number): PlayPermission {
    const refuseSince = (ms: number) => {
      const record = this.#file.read();
      const why = rule.findLeaseRefusal(record, hold);
      const sinceMs = record.holder ? readClock().ms - record.holder.takenMs : Infinity;
      if (why && sinceMs >= ms) throw why;
    };
    return { begin: () => refuseSince(0), goOn: () => refuseSince(graceMs) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort(new PwpError('sandbox-stopped', 'the sandbox is stopped or given up'));
    using limit = deadline('the end of the lease', partingMs);
    // Where that takes too long, the next one who acts does it.
    for (const hold of this.#own) await this.#end(hold, 'ended', null, limit.signal).catch(() => undefined);
  }

  /** The record, of a lease that is not over. */
  async #current(signal: AbortSignal): Promise<LeaseRecord> {
    const record = this.#file.read();
    const { holder } = record;
    const how = holder && (await this.#whyOver(holder));
    if (!holder || !how) return record;
    return this.#file.update(signal, (latest) =>
      // Used again meanwhile, it goes on.
      how === 'expired' && !this.#hasExpired(holder)
        ? latest
        : rule.endLease(latest, holder.hold, how, null, readClock()),
    );
  }

  async #whyOver(holder: StoredHolder): Promise<'expired' | 'ended' | undefined> {
    if (this.#hasExpired(holder)) return 'expired';
    return this.#own.has(holder.hold) || (await isProcessAlive(holder.process)) ? undefined : 'ended';
  }

  #hasExpired(holder: StoredHolder): boolean {
    return rule.computeLeftMs(holder, this.#used.read(), readClock()) < 0;
  }

  async #end(
    hold: string,
    how: Exclude<LeaseHandOver['how'], 'taken'>,
    by: Actor | null,
    signal: AbortSignal,
  ): Promise<void> {
    await this.#settled(await this.#mark(hold, how, by, signal), signal, this.#guarded.letGo);
  }

  /** Ends a lease, without letting its keys go. */
  #mark(
    hold: string,
    how: Exclude<LeaseHandOver['how'], 'taken'>,
    by: Actor | null,
    signal: AbortSignal,
  ): Promise<LeaseRecord> {
    this.#own.delete(hold);
    return this.#file.update(signal, (latest) => rule.endLease(latest, hold, how, by, readClock()));
  }

  /**
   * Releases every key and button that the previous holder left down. Under the lock: what another presses after it is
   * theirs. Errors: `timeout` for a display that does not answer in time, e.g. a frozen one.
   */
  async #settled(
    record: LeaseRecord,
    signal: AbortSignal,
    letGo: (signal: AbortSignal) => Promise<void>,
  ): Promise<LeaseRecord> {
    if (record.settled) return record;
    return this.#file.update(signal, async (latest) => {
      if (latest.settled) return latest;
      using limit = deadline('the release of all keys', keyReleaseMs, signal);
      // A frozen display never answers, and no other process may wait for it.
      await raceSignal(letGo(limit.signal), limit.signal);
      return rule.markKeysReleased(latest);
    });
  }

  async #unlike(revision: number, signal: AbortSignal) {
    const value = await this.state({ signal });
    if (value.revision === revision) return { done: false, saw: 'no change' } as const;
    return { done: true, value } as const;
  }

  #stateOf(record: LeaseRecord): LeaseState {
    return rule.describeLease(record, record.holder && this.#used.read(), readClock());
  }

  #refuse(record: LeaseRecord, hold: string | undefined): void {
    const why = rule.findLeaseRefusal(record, hold);
    if (why) throw why;
  }

  #use(hold: string): void {
    const used = this.#used.read();
    const { ms } = readClock();
    if (used?.hold !== hold || ms - used.atMs >= renewMs) this.#used.replace({ hold, atMs: ms });
  }
}

interface PlayInTurnOptions {
  /** The lease of the person who acts; undefined for an agent. */
  readonly hold: string | undefined;
  /** Milliseconds that a started action may go on after another has taken the lease. */
  readonly graceMs: number;
  /** Releases every key and button that the previous holder may have left down. */
  readonly letGo: (signal: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Plays input for the one whose turn it is. Errors: `control-held`, `control-lost`, `display-lost`. */
export async function playInTurn(
  lease: LocalLease,
  display: XDisplay,
  commands: readonly InputCommand[],
  { hold, graceMs, letGo, signal }: PlayInTurnOptions,
): Promise<InputResult> {
  // To ask where the pointer is, or to wait, is not to act.
  if (!commands.some(isVisibleCommand)) return display.play(commands, signal);
  await lease.admit(hold, letGo, signal);
  // A person who takes the lease waits for keys that are down, and for nothing else.
  return display.play(commands, signal, lease.leave(hold, commands.some(isPressingCommand) ? graceMs : 0));
}
