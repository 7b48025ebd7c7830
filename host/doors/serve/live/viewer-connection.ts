import { randomUUID } from 'node:crypto';
import { describeError, pause } from '../../../../bridge/lib/index.ts';
import { capitalize } from '../../../../bridge/text/index.ts';
import { type Control, type PersonStep, takeControl } from '../../../ide/index.ts';
import type { LeaseState, Person, Sandbox } from '../../../node/index.ts';
import type { ControlView, InputMessage, Talk, ToServer } from '../../web/index.ts';
import type { Visitor } from '../access.ts';
import { InputPlayer } from './driver.ts';
import type { PageChannel } from './page-channel.ts';

/** Milliseconds after which control ends without a sign of life from its page, and between two signs. */
const controlTtlMs = 20_000;
const controlRenewMs = 5000;

interface Driving {
  readonly control: Control;
  readonly driver: InputPlayer;
  readonly isPaused: boolean;
}

type ViewerWish = Exclude<ToServer, InputMessage | { readonly type: 'next' | 'hear' }>;

/** The parts of its server that a seat needs. */
interface ViewerSource {
  readonly talk?: AgentTalk | undefined;
  readonly onEnd?: (() => void) | undefined;
  readonly onPersonStep?: ((step: PersonStep) => void) | undefined;
  readonly letWatch?: boolean | undefined;
}

interface ViewerConnectionOptions {
  readonly sandbox: Sandbox;
  /** Name of the person. */
  readonly name: string;
  readonly visitor: Visitor;
  readonly channel: PageChannel;
  readonly source: ViewerSource;
}

/** One person at one page: takes control, drives, gives it back. Disposing it gives it back. */
export class ViewerConnection implements AsyncDisposable {
  readonly person: Person;
  readonly #sandbox: Sandbox;
  readonly #visitor: Visitor;
  readonly #channel: PageChannel;
  readonly #source: ViewerSource;
  #driving: Driving | undefined;
  #letsWatch = false;
  #isPrivate = false;
  #lease: LeaseState | undefined;
  /** A person's wishes are fulfilled in order. */
  #wishes: Promise<void> = Promise.resolve();
  readonly #over = new AbortController();

  constructor({ sandbox, name, visitor, channel, source }: ViewerConnectionOptions) {
    this.#sandbox = sandbox;
    this.person = { kind: 'person', id: `page-${randomUUID()}`, name };
    this.#visitor = visitor;
    this.#channel = channel;
    this.#source = source;
    this.#letsWatch = source.letWatch ?? false;
  }

  /** Ignores input of a person without control: it comes late, or not from our page. */
  play(message: InputMessage): void {
    if (this.#driving && !this.#driving.isPaused) this.#driving.driver.play(message);
  }

  wish(wish: ViewerWish): void {
    this.#wishes = this.#wishes.then(() => this.#fulfil(wish));
  }

  /** Tells the page who has control. It names this person only while their input is played. */
  show(lease: LeaseState): void {
    this.#lease = lease;
    if (lease.holder?.actor.id === this.person.id && !this.#driving) return;
    this.#channel.send({ type: 'hands', hands: this.#hands(lease) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#wishes;
    await this.#end();
    await this.#sandbox.lease.withdraw(this.person.id).catch(() => undefined);
  }

  /** Never rejects. */
  async #fulfil(wish: ViewerWish): Promise<void> {
    if (this.#over.signal.aborted) return;
    if (this.#visitor.rights === 'view')
      return this.#channel.send({ type: 'notice', text: 'This link only lets you watch.' });
    try {
      await this.#do(wish);
    } catch (error) {
      this.#channel.send({ type: 'notice', text: `${capitalize(describeError(error))}.` });
    }
  }

  async #do(wish: ViewerWish): Promise<void> {
    const { lease, questions } = this.#sandbox;
    const { signal } = this.#over;
    switch (wish.type) {
      case 'take':
        return this.#take(wish.force && this.#visitor.isOwner, wish.pause);
      case 'give':
        return this.#end();
      case 'ask':
        return lease.request(this.person, wish.why, { signal });
      case 'withdraw':
        return lease.withdraw(this.person.id, { signal });
      case 'let-watch':
        this.#letsWatch = wish.on;
        return this.#driving?.control.letWatch(wish.on, { signal });
      case 'private':
        this.#isPrivate = wish.on;
        if (this.#driving) this.#driving.driver.isPrivate = wish.on;
        return this.#showAgain();
      case 'say':
        return this.#source.talk?.say(this.person.name, wish.text);
      case 'stop':
        return this.#source.talk?.stop();
      case 'end':
        // The latest acts are part of it.
        await this.#end();
        return this.#visitor.isOwner ? this.#source.onEnd?.() : undefined;
      case 'answer': {
        const { how, text } = wish;
        return questions.answer(wish.id, { by: this.person, how, text }, { signal });
      }
    }
  }

  async #take(force: boolean, isPaused: boolean): Promise<void> {
    const { control } = this.#driving ?? (await this.#begin(force));
    const driver = this.#driving?.driver ?? this.#driverOf(control);
    driver.isPrivate = this.#isPrivate;
    this.#driving = { control, driver, isPaused };
    this.#showAgain();
  }

  async #begin(force: boolean): Promise<{ readonly control: Control }> {
    const letWatch = this.#letsWatch;
    const { onPersonStep: onStep } = this.#source;
    const options = { ttlMs: controlTtlMs, letWatch, force, onStep, signal: this.#over.signal };
    const control = await takeControl(this.#sandbox, this.person, options);
    void this.#keep(control);
    return { control };
  }

  #driverOf(control: Control): InputPlayer {
    return new InputPlayer(this.#sandbox, control, {
      onCopied: (text) => this.#channel.send({ type: 'clipboard', text }),
      onNotice: (text) => this.#channel.send({ type: 'notice', text }),
    });
  }

  /** Renews control while the page is there, and reports its end. Never rejects. */
  async #keep(control: Control): Promise<void> {
    const ended = new AbortController();
    const over = control.over.then((how) => {
      ended.abort();
      if (this.#driving?.control !== control) return;
      void this.#driving.driver.end();
      this.#driving = undefined;
      const who = how?.by?.name;
      const why = how?.how === 'expired' ? 'its time was over' : who ? `${who} has taken it` : 'it was ended';
      this.#channel.send({ type: 'notice', text: `You no longer have control: ${why}.` });
    });
    const signal = AbortSignal.any([ended.signal, this.#over.signal]);
    try {
      for (;;) {
        await pause(controlRenewMs, signal);
        await control.renew({ signal });
      }
    } catch {
      // It is over, or soon will be.
    }
    await over;
  }

  async #end(): Promise<void> {
    const driving = this.#driving;
    this.#driving = undefined;
    if (!driving) return;
    await driving.driver.end();
    await driving.control.giveBack();
  }

  #showAgain(): void {
    if (this.#lease) this.show(this.#lease);
  }

  #hands({ holder, requests, turns, looked }: LeaseState): ControlView {
    return {
      holder: holder && {
        name: holder.actor.name,
        isYou: holder.actor.id === this.person.id,
        letsWatch: holder.letsWatch,
      },
      paused: this.#driving?.isPaused ?? false,
      isPrivate: this.#isPrivate,
      lookDue: looked < turns,
      requests: requests.map(({ actor, why }) => ({
        name: actor.name,
        isPerson: actor.kind === 'person',
        isYou: actor.id === this.person.id,
        why,
      })),
    };
  }
}

/** The talk at one moment. */
interface TalkView extends Talk {
  /** Rises with each change. */
  readonly revision: number;
}

/** An agent that people talk with on the page. */
export interface AgentTalk {
  readonly view: TalkView;
  /** Resolves with the view as soon as it differs from that of a revision. */
  changed(revision: number, signal: AbortSignal): Promise<TalkView>;
  /** Sends the agent a message. Errors: a `PwpError` if it can't hear it. */
  say(from: string, text: string): void;
  /** Stops the agent: it then waits for a message. */
  stop(): void;
}

/** Sends a page the talk, at first and at each change. Rejects when the signal fires. */
export async function sendTalk(talk: AgentTalk, channel: PageChannel, signal: AbortSignal): Promise<never> {
  for (let now = talk.view; ; now = await talk.changed(now.revision, signal)) {
    const { agent, state, lines } = now;
    channel.send({ type: 'talk', talk: { agent, state, lines } });
  }
}
