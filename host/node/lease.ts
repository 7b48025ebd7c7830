import type { Cancellable } from '../../bridge/lib/index.ts';

/** Who acts on a sandbox. */
export interface Actor {
  readonly kind: 'agent' | 'person';
  /** Tells two actors apart: 1 to 100 letters, digits, `.`, `_`, `@`, `:` or `-`. The same person in two pages has one id. */
  readonly id: string;
  /** For people, e.g. `Ada`: 1 to 100 characters on one line. */
  readonly name: string;
}

/** A person of {@link Actor}. */
export interface Person extends Actor {
  readonly kind: 'person';
}

/**
 * Who may act on a sandbox. With no holder, agents act and need nothing. A person who wants to act takes the lease: from
 * then on agents are refused, until it ends. It is kept beside the sandbox, outside the wall, and holds for every process
 * that drives the sandbox. A fork starts with no holder; a restore changes nothing about it.
 */
export interface Lease {
  /** As it is now. Reads nothing for a sandbox that no person ever acted on. */
  state(options?: Cancellable): Promise<LeaseState>;
  /**
   * Resolves with a state whose revision differs from `revision`; it may be a moment late. A lease that runs out, or
   * whose holder's process has ended, is a change, too.
   */
  changed(revision: number, options?: Cancellable): Promise<LeaseState>;
  /**
   * Takes the lease, from agents and from the same person at any time. Resolves once what an agent was playing has
   * ended and every key and button is up: at the end of an action, or after 5 s in the middle of it.
   * Errors: `control-held` where another person has it.
   */
  take(person: Person, options?: TakeOptions & Cancellable): Promise<Taken>;
  /** Restarts the time to live; every input does so, too. Errors: `control-lost`. */
  renew(hold: string, options?: Cancellable): Promise<void>;
  /** Whether agents may look while the lease is held. Errors: `control-lost`. */
  letWatch(hold: string, on: boolean, options?: Cancellable): Promise<void>;
  /** Ends the lease; every key and button is up then. A no-op where it has already ended. */
  giveBack(hold: string, options?: Cancellable): Promise<void>;
  /** Ends the lease for its holder, who learns who did it. A no-op with no holder. */
  revoke(by: Actor, options?: Cancellable): Promise<void>;
  /** Asks the holder to give back, or to be next; one request per actor, for at most an hour, at most 20 at a time. */
  request(by: Actor, why: string, options?: Cancellable): Promise<void>;
  /** Takes a request back. A no-op where it does not exist. Taking the lease does so, too. */
  withdraw(id: string, options?: Cancellable): Promise<void>;
  /** Notes that an agent has seen the screen after this number of turns. */
  looked(turn: number, options?: Cancellable): Promise<void>;
}

export interface TakeOptions {
  /** Milliseconds without {@link Lease.renew} or input after which it ends, 1,000 to 600,000. Default 60,000. */
  readonly ttlMs?: number | undefined;
  /** Let agents look meanwhile. Default false: a person may type a password. */
  readonly letWatch?: boolean | undefined;
  /** Take it from another person as well. Default false. */
  readonly force?: boolean | undefined;
}

/** A lease that was taken. */
export interface Taken {
  /** Names this lease to {@link Lease} and `Sandbox.input`: a secret of its holder. */
  readonly hold: string;
  readonly state: LeaseState;
}

export interface LeaseState {
  /** Changes whenever the state does, except on a renewal. 0 for a sandbox that no person ever acted on. */
  readonly revision: number;
  readonly holder: Holder | null;
  /** How many times persons have had the lease and it has ended. */
  readonly turns: number;
  /** `turns` when an agent last looked. While it is less than `turns`, an agent has to look before it may act. */
  readonly looked: number;
  readonly requests: readonly LeaseRequest[];
  /** The newest change of hands; null if there never was one. */
  readonly last: HandOver | null;
}

export interface Holder {
  readonly actor: Person;
  /** ISO 8601, by the machine's clock: for people. */
  readonly since: string;
  /** Milliseconds until it ends without renewal, by a clock that does not jump. It goes on while the sandbox is frozen. */
  readonly leftMs: number;
  readonly ttlMs: number;
  /** Agents may look. */
  readonly letsWatch: boolean;
}

export interface LeaseRequest {
  readonly actor: Actor;
  /** At most 500 characters; may be empty. */
  readonly why: string;
  /** ISO 8601. */
  readonly at: string;
}

/** A change of hands. */
export interface HandOver {
  /**
   * `taken`: by `by`. `given`: the holder gave it back. `revoked`: by `by`. `expired`: not renewed. `ended`: the
   * holder's process or connection has ended.
   */
  readonly how: 'taken' | 'given' | 'revoked' | 'expired' | 'ended';
  /** Who had it; null if it was taken when no one had it. */
  readonly from: Person | null;
  /** Who did it; null for `expired` and `ended`. */
  readonly by: Actor | null;
  /** ISO 8601. */
  readonly at: string;
}
