import { PwpError, raceSignal, clip } from '../../bridge/lib/index.ts';
import type { VisitLike } from '../record/index.ts';
import type { ChatMessage } from './agent.ts';

/** One message. */
export interface ChatLine extends ChatMessage {
  /** Counts the lines from 0. */
  readonly number: number;
  readonly by: 'person' | 'agent';
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An agent works or waits for people's messages, or its episode is over. */
export type ChatState = 'works' | 'waits' | 'over';

/** The chat as people see it. */
export interface ChatView {
  /** Rises with each change. */
  readonly revision: number;
  /** Name of the agent. */
  readonly agent: string;
  readonly state: ChatState;
  /** The last lines, oldest first. */
  readonly lines: readonly ChatLine[];
}

/** The maximum number of visits to record: a page that keeps reconnecting must not fill a record. */
const mostVisits = 1000;
/** The number of lines to keep: the record has all of them. */
const mostLines = 200;
/** UTF-16 code units of one line. */
const longestLine = 10_000;
/** The maximum number of messages that the agent has not heard yet. */
const mostUnheard = 50;

/**
 * The chat of people and an agent in an episode. The agent hears new messages before its next decision. When it has
 * finished, the episode continues with the next message of people, until they end it.
 */
export class AgentChat {
  readonly agent: string;
  #revision = 0;
  #state: ChatState = 'waits';
  #lines: readonly ChatLine[] = [];
  #unheard: ChatMessage[] = [];
  #changed = Promise.withResolvers<void>();
  #stopping = new AbortController();
  #isEnding = false;
  readonly #visits: VisitLike[] = [];
  #onVisit: ((visit: VisitLike) => void) | undefined;

  /** @param agent its name */
  constructor(agent: string) {
    this.agent = agent;
  }

  get view(): ChatView {
    const { agent } = this;
    return { revision: this.#revision, agent, state: this.#state, lines: this.#lines };
  }

  /** Resolves with the view as soon as it differs from that of a revision. */
  async changed(revision: number, signal: AbortSignal): Promise<ChatView> {
    while (this.#revision === revision) await raceSignal(this.#changed.promise, signal);
    return this.view;
  }

  /** Adds a person's message. Errors: `chat-over`, also if the agent has too many unheard messages. */
  say(from: string, text: string): void {
    if (this.#state === 'over') throw new PwpError('chat-over', 'the agent has ended and hears nothing');
    if (this.#unheard.length >= mostUnheard)
      throw new PwpError('chat-over', `the agent has yet to hear ${mostUnheard} messages`, {
        help: 'Wait for its next decision.',
      });
    const message = { from, text: clip(text, longestLine) };
    this.#unheard.push(message);
    this.#add({ ...message, by: 'person' });
  }

  /** A person has opened the page. */
  visited(visit: VisitLike): void {
    if (this.#visits.length >= mostVisits) return;
    this.#visits.push(visit);
    this.#onVisit?.(visit);
  }

  /** Calls the listener with all visits so far, and with each new one. */
  onVisit(listener: (visit: VisitLike) => void): void {
    this.#onVisit = listener;
    this.#visits.forEach(listener);
  }

  /** A person stops the agent's current decision: it then waits for messages. Actions under way are done first. */
  stop(): void {
    this.#stopping.abort(new PwpError('cancelled', 'a person stopped the agent'));
  }

  /** A person ends the episode, as soon as the agent's actions under way are done. */
  end(): void {
    this.#isEnding = true;
    this.stop();
    this.#tell();
  }

  /** Fires when a person stops the agent; a new one after each stop that was heeded. */
  get stopped(): AbortSignal {
    return this.#stopping.signal;
  }

  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The messages of people since the last call. */
  take(): readonly ChatMessage[] {
    return this.#unheard.splice(0);
  }

  /** The agent says something. */
  reply(text: string): void {
    if (text.trim() !== '') this.#add({ from: this.agent, text: clip(text, longestLine), by: 'agent' });
  }

  /** The agent waits for a message, or until people end the episode. */
  async awaitPeople(signal: AbortSignal): Promise<void> {
    this.#become('waits');
    while (this.#unheard.length === 0 && !this.#isEnding) await raceSignal(this.#changed.promise, signal);
    if (!this.#isEnding) this.work();
  }

  /** The agent works from now on. */
  work(): void {
    if (this.#stopping.signal.aborted) this.#stopping = new AbortController();
    this.#become('works');
  }

  /** The episode is over. */
  close(): void {
    this.#become('over');
  }

  #add(line: Omit<ChatLine, 'at' | 'number'>): void {
    const number = (this.#lines.at(-1)?.number ?? -1) + 1;
    this.#lines = [...this.#lines, { ...line, number, at: Date.now() }].slice(-mostLines);
    this.#tell();
  }

  #become(state: ChatState): void {
    if (this.#state === state || this.#state === 'over') return;
    this.#state = state;
    this.#tell();
  }

  #tell(): void {
    this.#revision += 1;
    const previous = this.#changed;
    this.#changed = Promise.withResolvers();
    previous.resolve();
  }
}
