import type { Environment, Observation } from '../env/index.ts';
import type { EpisodeRecord } from '../record/index.ts';
import type { ChatMessage } from './agent.ts';
import type { AgentChat } from './chat.ts';
import type { EpisodeClock } from './clock.ts';
import { recordPeople, recordState } from './keep-step.ts';

/** An agent's new input before it decides. */
export interface Heard {
  readonly observation: Observation;
  readonly messages: readonly ChatMessage[];
}

export interface ConversationParts {
  readonly env: Environment;
  readonly record: EpisodeRecord;
  readonly time: EpisodeClock;
  /** Undefined: no one talks with the agent. */
  readonly chat: AgentChat | undefined;
  /** The agent waits for a message before it does anything. */
  readonly waits: boolean;
}

/** An agent among people: it waits while one has control, hears their messages, and rests when it has finished. */
export class Conversation {
  readonly #parts: ConversationParts;
  #rests: boolean;
  /** The messages before a decision that a person stopped. */
  #again: readonly ChatMessage[] = [];

  constructor(parts: ConversationParts) {
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
  async next(seen: Observation, steps: number): Promise<Heard | null> {
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
