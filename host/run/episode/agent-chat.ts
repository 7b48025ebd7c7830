import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { Observation } from '../../ide/index.ts';
import type { ChatMessage, Decision } from '../agents/index.ts';
import type { PageVisit } from '../record/index.ts';
import { askAgent, type Decide, EpisodeOver, type RunningEpisode, type Seen, toTurn } from './play-task.ts';

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
  readonly #visits: PageVisit[] = [];
  #onVisit: ((visit: PageVisit) => void) | undefined;

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
  visited(visit: PageVisit): void {
    if (this.#visits.length >= mostVisits) return;
    this.#visits.push(visit);
    this.#onVisit?.(visit);
  }

  /** Calls the listener with all visits so far, and with each new one. */
  onVisit(listener: (visit: PageVisit) => void): void {
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

/** An agent that waits while a person has control, and then decides on what they left. */
export function decideAfterPeople(episode: RunningEpisode): Decide {
  return async (seen) => {
    const observation = (await awaitPeople(episode, seen)) ?? seen.observation;
    return await askAgent(episode, { ...seen, observation, messages: [] }, episode.clock.signal);
  };
}

/** An agent that also hears people's messages, and continues with the next one when it has finished, until they end it. */
export class ChatLoop {
  readonly #episode: RunningEpisode;
  readonly #chat: AgentChat;
  #rests: boolean;
  /** The messages before a decision that a person stopped. */
  #again: readonly ChatMessage[] = [];

  /** @param waits for a message before it does anything */
  constructor(episode: RunningEpisode, chat: AgentChat, waits: boolean) {
    this.#episode = episode;
    this.#chat = chat;
    this.#rests = waits;
  }

  /** The next decision with actions; null once people have ended the episode. */
  readonly decide: Decide = async ({ observation, last }) => {
    const { recorder, usage } = this.#episode;
    for (let seen: Seen = { observation, last }; ;) {
      const rested = await this.#rest();
      if (this.#chat.isEnding) {
        await this.#hear(null);
        return null;
      }
      this.#chat.work();
      const after = await awaitPeople(this.#episode, seen);
      const looked = rested && !after ? await this.#look() : null;
      const messages = await this.#hear(looked);
      seen = { observation: after ?? looked ?? seen.observation, last };
      const decision = await this.#ask(seen, messages);
      if (!decision) continue;
      if (decision.message !== undefined) this.#chat.reply(decision.message);
      this.#rests = decision.done === true;
      if (!this.#rests || decision.actions.length > 0) return { ...decision, done: false };
      await recorder.record.reply(toTurn(decision));
      if (usage.limit) throw new EpisodeOver({ end: usage.limit });
    }
  };

  /** Waits for a message if it has finished, or a person has stopped it; the clock does not run. */
  async #rest(): Promise<boolean> {
    const { clock } = this.#episode;
    const rests = this.#rests || this.#chat.stopped.aborted;
    this.#rests = false;
    if (rests) await clock.pauseFor(() => this.#chat.awaitPeople(clock.signal));
    return rests;
  }

  /** Undefined if a person has stopped it: then it hears the messages again. */
  async #ask(seen: Seen, messages: readonly ChatMessage[]): Promise<Decision | undefined> {
    const { stopped } = this.#chat;
    const { signal } = this.#episode.clock;
    try {
      const decision = await askAgent(
        this.#episode,
        { ...seen, messages },
        AbortSignal.any([signal, stopped]),
      );
      return decision ?? { actions: [], done: true };
    } catch (error) {
      if (error instanceof EpisodeOver || signal.aborted || !stopped.aborted) throw error;
      this.#again = messages;
      return undefined;
    }
  }

  /** @param looked shown to the agent with the last message */
  async #hear(looked: Observation | null): Promise<readonly ChatMessage[]> {
    const news = this.#chat.take();
    for (const message of news) {
      const shown = message === news.at(-1) ? looked : null;
      await this.#episode.recorder.record.message(message, shown ?? undefined);
    }
    const messages = [...this.#again, ...news];
    this.#again = [];
    return messages;
  }

  /** Programs may have run on while it rested. Null if a person has just taken control: then the step is refused. */
  async #look(): Promise<Observation | null> {
    const { env, clock } = this.#episode;
    try {
      return await env.observe({ signal: clock.signal });
    } catch {
      clock.signal.throwIfAborted();
      return null;
    }
  }
}

/** The observation after people had control; null if no person had it. The clock does not run meanwhile. */
async function awaitPeople(
  { env, recorder, clock }: RunningEpisode,
  { last }: Seen,
): Promise<Observation | null> {
  const { signal } = clock;
  return await clock.pauseFor(async () => {
    const observation = await env.awaitTurn({ signal });
    if (observation) {
      await recorder.people(observation);
      await recorder.state(last?.step ?? 0, signal);
    }
    return observation;
  });
}
