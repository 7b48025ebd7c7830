import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { Observation } from '../../ide/index.ts';
import type { ChatMessage } from '../agents/index.ts';
import type { Environment } from '../environment/index.ts';
import type { EpisodeRecord, VisitLike } from '../record/index.ts';
import type { EpisodeClock } from './episode-limits.ts';
import { recordPeople, recordState } from './episode-recording.ts';

/** One message. */
interface ChatLine extends ChatMessage {
  /** Counts the lines from 0. */
  readonly number: number;
  readonly by: 'person' | 'agent';
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An agent works or waits for people's messages, or its episode is over. */
type ChatState = 'works' | 'waits' | 'over';

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
const mostChatLines = 200;
/** UTF-16 code units of one line. */
const longestChatLine = 10_000;
/** The maximum number of messages that the agent has not heard yet. */
const mostUnheardMessages = 50;

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
    if (this.#unheard.length >= mostUnheardMessages)
      throw new PwpError('chat-over', `the agent has yet to hear ${mostUnheardMessages} messages`, {
        help: 'Wait for its next decision.',
      });
    const message = { from, text: clip(text, longestChatLine) };
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
    if (text.trim() !== '') this.#add({ from: this.agent, text: clip(text, longestChatLine), by: 'agent' });
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
    this.#lines = [...this.#lines, { ...line, number, at: Date.now() }].slice(-mostChatLines);
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

/** An agent's new input before it decides. */
interface AgentInput {
  readonly observation: Observation;
  readonly messages: readonly ChatMessage[];
}

interface PeopleInLoopOptions {
  readonly env: Environment;
  readonly record: EpisodeRecord;
  readonly time: EpisodeClock;
  /** Undefined: no one talks with the agent. */
  readonly chat: AgentChat | undefined;
  /** The agent waits for a message before it does anything. */
  readonly waits: boolean;
}

/** An agent among people: it waits while one has control, hears their messages, and rests when it has finished. */
export class PeopleInLoop {
  readonly #parts: PeopleInLoopOptions;
  #rests: boolean;
  /** The messages before a decision that a person stopped. */
  #again: readonly ChatMessage[] = [];

  constructor(parts: PeopleInLoopOptions) {
    this.#parts = parts;
    this.#rests = parts.chat !== undefined && parts.waits;
  }

  /** It may continue after it has finished, with people's messages. */
  get goesOn(): boolean {
    return this.#parts.chat !== undefined;
  }

  /** Ends a decision: with the episode, or when a person stops the agent. */
  get signal(): AbortSignal {
    const { chat, time } = this.#parts;
    return chat ? AbortSignal.any([time.signal, chat.stopped]) : time.signal;
  }

  /**
   * The agent's next input; null once people have ended the episode. The clock does not run for the time of people.
   * @param seen the last observation
   * @param steps the number of steps so far
   */
  async next(seen: Observation, steps: number): Promise<AgentInput | null> {
    const { chat } = this.#parts;
    if (!chat) return { observation: (await this.#afterPeople(steps)) ?? seen, messages: [] };
    const rested = this.#rests || chat.stopped.aborted;
    if (rested) await this.#rest(chat);
    if (chat.isEnding) {
      await this.#hear(chat, null);
      return null;
    }
    chat.work();
    this.#rests = false;
    const after = await this.#afterPeople(steps);
    const looked = rested && !after ? await this.#look() : null;
    const messages = await this.#hear(chat, looked);
    return { observation: after ?? looked ?? seen, messages };
  }

  /** A person may have stopped the decision: then the messages before it are heard again. */
  stopped(messages: readonly ChatMessage[]): boolean {
    if (this.#parts.chat?.stopped.aborted !== true) return false;
    this.#again = messages;
    return true;
  }

  /** The agent says something. */
  reply(text: string | undefined): void {
    if (text !== undefined) this.#parts.chat?.reply(text);
  }

  /** The agent has finished for now. */
  rest(): void {
    this.#rests = true;
  }

  async #rest(chat: AgentChat): Promise<void> {
    const { time } = this.#parts;
    const people = time.hold();
    try {
      await chat.awaitPeople(time.signal);
    } finally {
      people[Symbol.dispose]();
    }
  }

  async #hear(chat: AgentChat, looked: Observation | null): Promise<readonly ChatMessage[]> {
    const news = chat.take();
    for (const [i, message] of news.entries())
      await this.#parts.record.message(message, (i === news.length - 1 ? looked : null) ?? undefined);
    const messages = [...this.#again, ...news];
    this.#again = [];
    return messages;
  }

  /** Programs may have run on while it rested. Null if a person has just taken control: then the step is refused. */
  async #look(): Promise<Observation | null> {
    const { env, time } = this.#parts;
    try {
      return await env.observe({ signal: time.signal });
    } catch {
      time.signal.throwIfAborted();
      return null;
    }
  }

  /** The observation after people had control; null if no person had it. */
  async #afterPeople(steps: number): Promise<Observation | null> {
    const { env, record, time } = this.#parts;
    const people = time.hold();
    const { signal } = time;
    try {
      const observation = await env.awaitTurn({ signal });
      if (observation) {
        await recordPeople(env, record, observation);
        await recordState(env, record, steps, signal);
      }
      return observation;
    } finally {
      people[Symbol.dispose]();
    }
  }
}
