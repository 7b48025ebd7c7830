import { type Cancellable, neverAborted } from '../../../bridge/lib/index.ts';
import { leaseMethods as methods, questionMethods } from '../../../bridge/protocol/index.ts';
import type { Peer } from '../../../bridge/rpc/index.ts';
import type {
  Actor,
  AskedQuestion,
  Lease,
  LeaseState,
  OpenQuestions,
  Person,
  PersonAnswer,
  Questions,
  TakeLeaseOptions,
  TakenLease,
} from '../lease.ts';
import { askNode } from './node-requests.ts';

/** The lease of a sandbox of a node at the other end of a connection. Leases that were taken through it end with it. */
export class RemoteLease implements Lease {
  readonly #peer: Peer;
  readonly #of: { readonly sandbox: string };

  constructor(peer: Peer, sandbox: string) {
    this.#peer = peer;
    this.#of = { sandbox };
  }

  state({ signal = neverAborted }: Cancellable = {}): Promise<LeaseState> {
    return askNode(this.#peer, methods.state, this.#of, signal);
  }

  changed(revision: number, { signal = neverAborted }: Cancellable = {}): Promise<LeaseState> {
    return askNode(this.#peer, methods.changed, { ...this.#of, revision }, signal);
  }

  take(
    person: Person,
    { signal = neverAborted, ...options }: TakeLeaseOptions & Cancellable = {},
  ): Promise<TakenLease> {
    const late = ({ hold }: TakenLease) => void this.giveBack(hold).catch(() => undefined);
    return askNode(this.#peer, methods.take, { ...this.#of, person, ...options }, signal, late);
  }

  async renew(hold: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, methods.renew, { ...this.#of, hold }, signal);
  }

  async letWatch(hold: string, on: boolean, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, methods.letWatch, { ...this.#of, hold, on }, signal);
  }

  async giveBack(hold: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, methods.giveBack, { ...this.#of, hold }, signal);
  }

  async revoke(by: Actor, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, methods.revoke, { ...this.#of, by }, signal);
  }

  async request(by: Actor, why: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, methods.request, { ...this.#of, by, why }, signal);
  }

  async withdraw(id: string, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, methods.withdraw, { ...this.#of, by: id }, signal);
  }

  async looked(turn: number, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, methods.looked, { ...this.#of, turn }, signal);
  }
}

/** The questions of such a sandbox. */
export class RemoteQuestions implements Questions {
  readonly #peer: Peer;
  readonly #of: { readonly sandbox: string };

  constructor(peer: Peer, sandbox: string) {
    this.#peer = peer;
    this.#of = { sandbox };
  }

  open({ signal = neverAborted }: Cancellable = {}): Promise<OpenQuestions> {
    return askNode(this.#peer, questionMethods.open, this.#of, signal);
  }

  changed(revision: number, { signal = neverAborted }: Cancellable = {}): Promise<OpenQuestions> {
    return askNode(this.#peer, questionMethods.changed, { ...this.#of, revision }, signal);
  }

  ask(
    question: AskedQuestion,
    { timeoutMs, signal = neverAborted }: { readonly timeoutMs: number } & Cancellable,
  ): Promise<PersonAnswer> {
    return askNode(this.#peer, questionMethods.ask, { ...this.#of, question, timeoutMs }, signal);
  }

  async answer(id: string, answer: PersonAnswer, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    await askNode(this.#peer, questionMethods.answer, { ...this.#of, id, answer }, signal);
  }
}
