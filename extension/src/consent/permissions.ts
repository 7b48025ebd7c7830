import { raceSignal } from '../../../bridge/lib/index.ts';
import { toolError } from '../../../bridge/protocol/index.ts';
import type { ActionClass, WantedCall } from './action-question.ts';

/** A person's answer; `dismissed`: this call is refused, or the dialog was closed. */
export type ConsentAnswer = 'once' | 'session' | 'never' | 'dismissed';

/** Asks the person about a call. */
export type AskPerson = (wanted: WantedCall) => Promise<ConsentAnswer>;

/** The answers of the person at this window for all clients, until the window is reloaded. */
export class WindowConsent {
  readonly #never = new Set<ActionClass>();
  #round = 0;

  /** Answers for a session only count in the round in which they were given. */
  get round(): number {
    return this.#round;
  }

  refuses(actionClass: ActionClass): boolean {
    return this.#never.has(actionClass);
  }

  refuse(actionClass: ActionClass): void {
    this.#never.add(actionClass);
  }

  /** Ends the permissions that clients have for their sessions: the person is asked about each again. */
  endSessions(): void {
    this.#round += 1;
  }

  /** Forgets all answers. */
  reset(): void {
    this.#never.clear();
    this.endSessions();
  }
}

interface OpenQuestion {
  readonly about: WantedCall;
  readonly answer: Promise<ConsentAnswer>;
}

/** The permissions of one client, which is one connection. */
export class ClientConsent {
  readonly #window: WindowConsent;
  readonly #ask: AskPerson;
  readonly #allowed = new Map<ActionClass, number>();
  readonly #open = new Map<ActionClass, OpenQuestion>();

  constructor(window: WindowConsent, ask: AskPerson) {
    this.#window = window;
    this.#ask = ask;
  }

  /**
   * Resolves when a person allows the call. Calls of one class that come while a question is open wait for its answer:
   * *once* is for the call that the person was shown, and then the person is asked about the next one; every other answer
   * is for all of them. Rejects with `not-allowed`, and with the signal's reason: a later answer allows nothing.
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

  #begin(about: WantedCall): OpenQuestion {
    const { actionClass } = about;
    const open = { about, answer: this.#answered(about) };
    this.#open.set(actionClass, open);
    return open;
  }

  /** The answer is stored before the calls that wait for it continue. */
  async #answered(about: WantedCall): Promise<ConsentAnswer> {
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
