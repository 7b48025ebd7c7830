import { PwpError, raceSignal, clip } from '../../bridge/lib/index.ts';
import type { VisitLike } from '../record/index.ts';
import type { ChatMessage } from './agent.ts';

/** One thing that was said. */
export interface ChatLine extends ChatMessage {
  /** Counts the lines from 0. */
  readonly number: number;
  readonly by: 'person' | 'agent';
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What an agent does: it works, waits for what people say, or its episode is over. */
export type ChatState = 'works' | 'waits' | 'over';

/** As people see it. */
export interface ChatView {
  /** Rises with each change. */
  readonly revision: number;
  /** Name of the agent. */
  readonly agent: string;
  readonly state: ChatState;
  /** The last lines, oldest first. */
  readonly lines: readonly ChatLine[];
}

/** Visits that are told: a page that comes again and again must not fill a record. */
const mostVisits = 1000;
/** Lines that are kept: all of them are in the record. */
const mostLines = 200;
/** UTF-16 code units of one line. */
const longestLine = 10_000;
/** Messages that the agent has not heard yet. */
const mostUnheard = 50;

/**
 * What people and an agent say to each other in an episode. The agent hears it before its next decision. When it has
 * finished, the episode goes on with what people say next, until they end it.
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

  /** The view, once it is another than that of a revision. */
  async changed(revision: number, signal: AbortSignal): Promise<ChatView> {
    while (this.#revision === revision) await raceSignal(this.#changed.promise, signal);
    return this.view;
  }

  /** A person says something. Errors: `chat-over`, also where the agent has not heard what was said before. */
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

  /** A person has come. */
  visited(visit: VisitLike): void {
    if (this.#visits.length >= mostVisits) return;
    this.#visits.push(visit);
    this.#onVisit?.(visit);
  }

  /** Called with all who have come so far, and with each who comes from now on. */
  onVisit(listener: (visit: VisitLike) => void): void {
    this.#onVisit = listener;
    this.#visits.forEach(listener);
  }

  /** A person stops what the agent is about to decide: it then waits for what people say. What it does is done first. */
  stop(): void {
    this.#stopping.abort(new PwpError('cancelled', 'a person stopped the agent'));
  }

  /** A person ends the episode: as soon as the agent has done what it is doing. */
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

  /** What people have said since the last call. */
  take(): readonly ChatMessage[] {
    return this.#unheard.splice(0);
  }

  /** The agent says something. */
  reply(text: string): void {
    if (text.trim() !== '') this.#add({ from: this.agent, text: clip(text, longestLine), by: 'agent' });
  }

  /** The agent waits for what people say, or until they end the episode. */
  async awaitPeople(signal: AbortSignal): Promise<void> {
    this.#become('waits');
    while (this.#unheard.length === 0 && !this.#isEnding) await raceSignal(this.#changed.promise, signal);
    if (!this.#isEnding) this.work();
  }

  /** The agent is at work from now on. */
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
    const told = this.#changed;
    this.#changed = Promise.withResolvers();
    told.resolve();
  }
}
