import { raceSignal } from '../../../bridge/lib/index.ts';
import { toolError } from '../../../bridge/protocol/index.ts';
import type { ActionClass } from './classes.ts';
import type { WantedCall } from './words.ts';

/** What a person answers; `dismissed`: this call is refused, or the dialog was closed. */
export type Answer = 'once' | 'session' | 'never' | 'dismissed';

/** Asks the person about a call. */
export type AskPerson = (wanted: WantedCall) => Promise<Answer>;

/** What the person at this window has answered for all clients, until the window is reloaded. */
export class WindowConsent {
  readonly #never = new Set<ActionClass>();
  #round = 0;

  /** Answers for a session count only in the round they were given in. */
  get round(): number {
    return this.#round;
  }

  refuses(actionClass: ActionClass): boolean {
    return this.#never.has(actionClass);
  }

  refuse(actionClass: ActionClass): void {
    this.#never.add(actionClass);
  }

  /** From now on each client is asked about again what it was allowed for its session. */
  endSessions(): void {
    this.#round += 1;
  }

  /** Forgets all answers. */
  reset(): void {
    this.#never.clear();
    this.endSessions();
  }
}

interface Open {
  readonly about: WantedCall;
  readonly answer: Promise<Answer>;
}

/** What one client, which is one connection, may do. */
export class ClientConsent {
  readonly #window: WindowConsent;
  readonly #ask: AskPerson;
  readonly #allowed = new Map<ActionClass, number>();
  readonly #open = new Map<ActionClass, Open>();

  constructor(window: WindowConsent, ask: AskPerson) {
    this.#window = window;
    this.#ask = ask;
  }

  /**
   * Resolves when a person allows the call. Calls of one class that come while a question is open wait for its answer:
   * *once* is for the call that the person was shown, and the next one is asked about then; every other answer is for all.
   * Rejects with `not-allowed`, and with the signal's reason: an answer that comes later allows nothing.
   */
  async require(wanted: WantedCall, signal: AbortSignal): Promise<void> {
    const { actionClass } = wanted;
    for (;;) {
      signal.throwIfAborted();
      if (this.#window.refuses(actionClass)) throw refusedForWindow(wanted);
      if (this.#allowed.get(actionClass) === this.#window.round) return;
      const open = this.#open.get(actionClass) ?? this.#begin(wanted);
      const answer = await raceSignal(open.answer, signal);
      signal.throwIfAborted();
      if (answer === 'dismissed') throw refusedNow(wanted);
      if (answer === 'once' && open.about === wanted) return;
    }
  }

  #begin(about: WantedCall): Open {
    const { actionClass } = about;
    const open = { about, answer: this.#answered(about) };
    this.#open.set(actionClass, open);
    return open;
  }

  /** The answer counts before anybody who waits for it goes on. */
  async #answered(about: WantedCall): Promise<Answer> {
    const { actionClass } = about;
    try {
      const answer = await this.#ask(about);
      if (answer === 'session') this.#allowed.set(actionClass, this.#window.round);
      if (answer === 'never') this.#window.refuse(actionClass);
      return answer;
    } finally {
      this.#open.delete(actionClass);
    }
  }
}

function refusedForWindow({ tool }: WantedCall): Error {
  return toolError('not-allowed', `${tool}: the person at this window does not allow this here`, {
    help: 'Only they can change that, by the command Programming with Pixels: Ask Again What Agents May Do (pwp.resetConsent)',
  });
}

function refusedNow({ tool }: WantedCall): Error {
  return toolError('not-allowed', `${tool}: the person at this window did not allow it`, {
    help: 'Ask them what they want before you try again',
  });
}
