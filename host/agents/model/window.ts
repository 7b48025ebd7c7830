import { clip, clipEnd } from '../../../bridge/lib/index.ts';
import type { Content, Message, Room, Usage } from '../../models/index.ts';

/** Limits of the conversation that is sent. */
export interface WindowLimits {
  /** Maximum number of pictures; beyond it the oldest are left out, half of them at once, so that the rest stays cached. */
  readonly pictures: number;
  /** Tokens of a request; beyond that, whole turns are left out, the oldest first. */
  readonly tokens: number;
}

export const defaultWindow: WindowLimits = { pictures: 20, tokens: 150_000 };

/** The parts of a conversation that are left out. */
export interface Dropped {
  readonly pictures: number;
  readonly turns: number;
}

/** The turns that are always kept within the configured limits; if a server takes less, only the newest. */
const newest = 2;
/** A picture's cost, and a token's length, until a server has counted them. */
const pictureTokens = 1500;
const charactersPerToken = 3.5;
/** The share of the limit that is left after dropping turns. */
const kept = 0.6;
/** The share to keep of a request that a server refused without a number. */
const lessThanRefused = 0.7;
/** The share of the server's limit for the answer. */
const answerPart = 0.25;
/** Texts are cut no shorter, in UTF-16 code units. */
const shortestText = 400;

const gone: Content = { kind: 'text', text: '(an older picture is left out here)' };

/**
 * Chooses the part of a conversation to send. Dropped parts stay dropped: a conversation whose beginning changed with each
 * turn would never be read from the cache. The messages are a task, then pairs of a model's turn and its results.
 */
export class ConversationWindow {
  readonly #pictureLimit: number;
  #tokenLimit: number;
  /** Results of computer calls keep their picture: their vendor requires it. */
  readonly #keepsPictures: boolean;
  /** Estimated tokens of the system prompt and the tools. */
  readonly #besides: number;
  /** Pictures and turns that are left out, counted from the first. */
  #pictures = 0;
  #turns = 0;
  #newest = newest;
  /** UTF-16 code units of a text in a result. */
  #longestText = Infinity;
  /** The correction of guesses, from a server's counts. */
  #scale = 1;

  /**
   * @param keepsPictures results of computer calls keep their picture
   * @param besides characters of the system prompt and the tools
   */
  constructor({ pictures, tokens }: WindowLimits, keepsPictures: boolean, besides = 0) {
    this.#pictureLimit = pictures;
    this.#tokenLimit = tokens;
    this.#keepsPictures = keepsPictures;
    this.#besides = besides / charactersPerToken;
  }

  get dropped(): Dropped {
    return { pictures: this.#pictures, turns: this.#turns };
  }

  /**
   * @param messages all of the conversation, the task first
   * @param usage of the turn before, for a request that was one turn shorter
   */
  of(messages: readonly Message[], usage: Usage | null): Message[] {
    this.#count(messages, usage);
    if (this.#guess(messages) > this.#tokenLimit) this.#dropTurns(messages);
    return this.#sent(messages);
  }

  /**
   * A server has refused the last request as too long. Learns from its reply, and leaves out more. False if nothing more
   * can be left out.
   */
  shorten(messages: readonly Message[], { limit, input }: Room): boolean {
    const guessed = this.#guess(messages);
    if (input !== null && guessed > 0) this.#scale *= input / guessed;
    const before = this.#guess(messages);
    const most = limit === null ? Infinity : (1 - answerPart) * limit;
    // The server refused a request that fits its own limit, or names no number.
    this.#tokenLimit = Math.min(this.#tokenLimit, most < before ? most : lessThanRefused * before);
    this.#dropTurns(messages);
    if (this.#guess(messages) > this.#tokenLimit) {
      this.#newest = 1;
      this.#dropTurns(messages);
    }
    while (this.#guess(messages) > this.#tokenLimit && this.#cutTexts(messages));
    if (this.#guess(messages) > this.#tokenLimit) this.#dropPictures(messages);
    return this.#guess(messages) < before;
  }

  #sent(messages: readonly Message[]): Message[] {
    const [task, ...rest] = messages;
    if (!task) return [];
    const sent = [task, ...rest.slice(2 * this.#turns)];
    // Pictures are counted from the very first, including those that were dropped with their turn.
    const went = this.#countPictures(messages) - this.#countPictures(sent);
    const there = this.#countPictures(sent);
    if (there - Math.max(0, this.#pictures - went) > this.#pictureLimit)
      this.#pictures = went + there - Math.ceil(this.#pictureLimit / 2);
    return this.#withoutOldest(sent, this.#pictures - went).map((one) => cutResults(one, this.#longestText));
  }

  /** Corrects the guess by the count for all but the newest turn. */
  #count(messages: readonly Message[], usage: Usage | null): void {
    const [task, ...rest] = messages;
    if (!task || usage?.input == null) return;
    const before = this.#besides + tokensOf([task, ...rest.slice(2 * this.#turns, -2)]);
    if (before > 0) this.#scale = usage.input / before;
  }

  #guess(messages: readonly Message[]): number {
    return this.#scale * (this.#besides + tokensOf(this.#sent(messages)));
  }

  #dropTurns(messages: readonly Message[]): void {
    const most = Math.max(0, Math.floor((messages.length - 1) / 2) - this.#newest);
    while (this.#turns < most && this.#guess(messages) > kept * this.#tokenLimit) this.#turns += 1;
  }

  /** Halves the longest text of a result that is sent. */
  #cutTexts(messages: readonly Message[]): boolean {
    const texts = this.#sent(messages).flatMap((message) =>
      message.role === 'results' ? contentsOf(message, false) : [],
    );
    const longest = Math.max(0, ...texts.map((one) => (one.kind === 'text' ? one.text.length : 0)));
    if (longest / 2 < shortestText) return false;
    this.#longestText = Math.floor(longest / 2);
    return true;
  }

  /** All but the newest. */
  #dropPictures(messages: readonly Message[]): void {
    this.#pictures = Math.max(this.#pictures, this.#countPictures(messages) - 1);
  }

  #countPictures(messages: readonly Message[]): number {
    const contents = messages.flatMap((message) => contentsOf(message, this.#keepsPictures));
    return contents.filter(({ kind }) => kind === 'image').length;
  }

  #withoutOldest(messages: readonly Message[], count: number): Message[] {
    let left = count;
    const lessen = (contents: readonly Content[]): Content[] =>
      contents.map((content) => (content.kind === 'image' && left-- > 0 ? gone : content));
    return messages.map((message): Message => {
      if (left <= 0 || message.role === 'model') return message;
      if (message.role === 'user') return { ...message, content: lessen(message.content) };
      const results = message.results.map((result) =>
        this.#keepsPictures && result.ofComputer === true
          ? result
          : { ...result, content: lessen(result.content) },
      );
      return { ...message, results, ...(message.said && { said: lessen(message.said) }) };
    });
  }
}

/** Tokens for an answer, of a server's whole limit. */
export function answerRoom(limit: number): number {
  return Math.max(256, Math.floor(answerPart * limit));
}

/** Cuts results in the middle: a file's beginning and a program's last lines say the most. */
function cutResults(message: Message, longest: number): Message {
  if (message.role !== 'results' || longest === Infinity) return message;
  const cut = (content: Content): Content =>
    content.kind === 'text' ? { kind: 'text', text: cutMiddle(content.text, longest) } : content;
  return { ...message, results: message.results.map((one) => ({ ...one, content: one.content.map(cut) })) };
}

function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const note = `\n… (${text.length - longest} characters are left out here) …\n`;
  const half = Math.max(0, Math.floor((longest - note.length) / 2));
  return `${clip(text, half)}${note}${clipEnd(text, half)}`;
}

function contentsOf(message: Message, withoutComputer: boolean): readonly Content[] {
  if (message.role === 'user') return message.content;
  if (message.role === 'model') return [];
  const ofResults = message.results.flatMap(({ content, ofComputer }) =>
    withoutComputer && ofComputer === true ? [] : content,
  );
  return [...ofResults, ...(message.said ?? [])];
}

/** An estimate, for messages that no server has counted. */
function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => {
    if (message.role === 'model')
      return sum + JSON.stringify(message.verbatim ?? '').length / charactersPerToken;
    const contents = contentsOf(message, false);
    return contents.reduce(
      (all, one) => all + (one.kind === 'image' ? pictureTokens : one.text.length / charactersPerToken),
      sum,
    );
  }, 0);
}
