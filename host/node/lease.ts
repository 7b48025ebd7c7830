import { type Cancellable, PwpError } from '../../bridge/lib/index.ts';

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
  take(person: Person, options?: TakeLeaseOptions & Cancellable): Promise<TakenLease>;
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

export interface TakeLeaseOptions {
  /** Milliseconds without {@link Lease.renew} or input after which it ends, 1,000 to 600,000. Default 60,000. */
  readonly ttlMs?: number | undefined;
  /** Let agents look meanwhile. Default false: a person may type a password. */
  readonly letWatch?: boolean | undefined;
  /** Take it from another person as well. Default false. */
  readonly force?: boolean | undefined;
}

/** A lease that was taken. */
export interface TakenLease {
  /** Names this lease to {@link Lease} and `Sandbox.input`: a secret of its holder. */
  readonly hold: string;
  readonly state: LeaseState;
}

export interface LeaseState {
  /** Changes whenever the state does, except on a renewal. 0 for a sandbox that no person ever acted on. */
  readonly revision: number;
  readonly holder: LeaseHolder | null;
  /** How many times persons have had the lease and it has ended. */
  readonly turns: number;
  /** `turns` when an agent last looked. While it is less than `turns`, an agent has to look before it may act. */
  readonly looked: number;
  readonly requests: readonly LeaseRequest[];
  /** The newest change of hands; null if there never was one. */
  readonly last: LeaseHandOver | null;
}

export interface LeaseHolder {
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
export interface LeaseHandOver {
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

/**
 * Questions of agents to the people who watch a sandbox. Kept beside the sandbox, outside the wall, for every process
 * that drives it.
 */
export interface Questions {
  /** Those without an answer, the oldest first. */
  open(options?: Cancellable): Promise<OpenQuestions>;
  /** Resolves when the revision differs from `revision`; it may be a moment late. */
  changed(revision: number, options?: Cancellable): Promise<OpenQuestions>;
  /**
   * Asks and waits for the answer. The question goes when the answer is there, the time is over, the signal is aborted or
   * this process ends. Errors: `timeout`, `too-many-questions` beyond 20.
   */
  ask(question: AskedQuestion, options: { readonly timeoutMs: number } & Cancellable): Promise<PersonAnswer>;
  /** Answers a question. Errors: `no-such-question`. */
  answer(id: string, answer: PersonAnswer, options?: Cancellable): Promise<void>;
}

export interface AskedQuestion {
  readonly from: Actor;
  /** `answer`: asks for an answer in words. `hands`: asks a person to do something by hand. */
  readonly wants: 'answer' | 'hands';
  /** 1 to 4,000 characters. */
  readonly text: string;
  /** Answers to choose from, at most 10 of 200 characters; a person may always write another. Default: none. */
  readonly choices?: readonly string[] | undefined;
}

export interface OpenQuestion extends AskedQuestion {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface OpenQuestions {
  /** Changes with every change of the questions. 0 if none was ever asked. */
  readonly revision: number;
  readonly questions: readonly OpenQuestion[];
}

export interface PersonAnswer {
  readonly by: Person;
  /** `declined`: the person does not want to answer or to do it. */
  readonly how: 'answered' | 'done' | 'declined';
  /** At most 10,000 characters; may be empty. */
  readonly text: string;
}

/**
 * Why an agent or a person may not act, or an agent may not look: a person has the lease.
 * @param person who asks; default: an agent
 */
export function controlHeldError(
  { actor, since, letsWatch }: Pick<LeaseHolder, 'actor' | 'since' | 'letsWatch'>,
  person?: Person,
): PwpError {
  const time = since.slice(11, 19);
  if (person)
    return new PwpError('control-held', `${actor.name} has control since ${time} UTC`, {
      help: 'Ask for it, or take it by force.',
    });
  const look = letsWatch ? 'You may look meanwhile.' : 'You can not look meanwhile either.';
  return new PwpError('control-held', `${actor.name} has control since ${time} UTC; agents may not act`, {
    help: `Wait until control is given back, then look before you act. ${look}`,
  });
}
