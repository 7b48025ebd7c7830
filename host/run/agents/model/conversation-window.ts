import { clip, clipEnd } from '../../../../bridge/text/index.ts';
import type { ConversationMessage, MessageContent, ReportedLimits, TokenUsage } from '../../models/index.ts';

/** Limits of the conversation that is sent. */
export interface WindowLimits {
  /** Maximum number of pictures; beyond it the oldest are left out, half of them at once, so that the rest stays cached. */
  readonly pictures: number;
  /** Tokens of a request; beyond that, whole turns are left out, the oldest first. */
  readonly tokens: number;
}

export const defaultWindow: WindowLimits = { pictures: 20, tokens: 150_000 };

/** The parts of a conversation that are left out. */
interface DroppedParts {
  readonly pictures: number;
  readonly turns: number;
}

/** The turns that are always kept within the configured limits; if a server takes less, only the newest. */
const keptTurns = 2;
/** A picture's cost, and a token's length, until a server has counted them. */
const pictureTokens = 1500;
const charactersPerToken = 3.5;
/** The share of the limit that is left after dropping turns. */
const keptShare = 0.6;
/** The share to keep of a request that a server refused without a number. */
const refusedShare = 0.7;
/** The share of the server's limit for the answer. */
const answerShare = 0.25;
/** Texts are cut no shorter, in UTF-16 code units. */
const shortestText = 400;

const droppedPicture: MessageContent = { kind: 'text', text: '(an older picture is left out here)' };

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
  #newest = keptTurns;
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

  get dropped(): DroppedParts {
    return { pictures: this.#pictures, turns: this.#turns };
  }

  /**
   * @param messages all of the conversation, the task first
   * @param usage of the turn before, for a request that was one turn shorter
   */
  of(messages: readonly ConversationMessage[], usage: TokenUsage | null): ConversationMessage[] {
    this.#count(messages, usage);
    if (this.#guess(messages) > this.#tokenLimit) this.#dropTurns(messages);
    return this.#sent(messages);
  }

  /**
   * A server has refused the last request as too long. Learns from its reply, and leaves out more. False if nothing more
   * can be left out.
   */
  shorten(messages: readonly ConversationMessage[], { limit, input }: ReportedLimits): boolean {
    const guessed = this.#guess(messages);
    if (input !== null && guessed > 0) this.#scale *= input / guessed;
    const before = this.#guess(messages);
    const most = limit === null ? Infinity : (1 - answerShare) * limit;
    // The server refused a request that fits its own limit, or names no number.
    this.#tokenLimit = Math.min(this.#tokenLimit, most < before ? most : refusedShare * before);
    this.#dropTurns(messages);
    if (this.#guess(messages) > this.#tokenLimit) {
      this.#newest = 1;
      this.#dropTurns(messages);
    }
    while (this.#guess(messages) > this.#tokenLimit && this.#cutTexts(messages));
    if (this.#guess(messages) > this.#tokenLimit) this.#dropPictures(messages);
    return this.#guess(messages) < before;
  }

  #sent(messages: readonly ConversationMessage[]): ConversationMessage[] {
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
  #count(messages: readonly ConversationMessage[], usage: TokenUsage | null): void {
    const [task, ...rest] = messages;
    if (!task || usage?.input == null) return;
    const before = this.#besides + estimateTokens([task, ...rest.slice(2 * this.#turns, -2)]);
    if (before > 0) this.#scale = usage.input / before;
  }

  #guess(messages: readonly ConversationMessage[]): number {
    return this.#scale * (this.#besides + estimateTokens(this.#sent(messages)));
  }

  #dropTurns(messages: readonly ConversationMessage[]): void {
    const most = Math.max(0, Math.floor((messages.length - 1) / 2) - this.#newest);
    while (this.#turns < most && this.#guess(messages) > keptShare * this.#tokenLimit) this.#turns += 1;
  }

  /** Halves the longest text of a result that is sent. */
  #cutTexts(messages: readonly ConversationMessage[]): boolean {
    const texts = this.#sent(messages).flatMap((message) =>
      message.role === 'results' ? collectWindowContents(message, false) : [],
    );
    const longest = Math.max(0, ...texts.map((one) => (one.kind === 'text' ? one.text.length : 0)));
    if (longest / 2 < shortestText) return false;
    this.#longestText = Math.floor(longest / 2);
    return true;
  }

  /** All but the newest. */
  #dropPictures(messages: readonly ConversationMessage[]): void {
    this.#pictures = Math.max(this.#pictures, this.#countPictures(messages) - 1);
  }

  #countPictures(messages: readonly ConversationMessage[]): number {
    const contents = messages.flatMap((message) => collectWindowContents(message, this.#keepsPictures));
    return contents.filter(({ kind }) => kind === 'image').length;
  }

  #withoutOldest(messages: readonly ConversationMessage[], count: number): ConversationMessage[] {
    let left = count;
    const lessen = (contents: readonly MessageContent[]): MessageContent[] =>
      contents.map((content) => (content.kind === 'image' && left-- > 0 ? droppedPicture : content));
    return messages.map((message): ConversationMessage => {
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
export function reserveAnswerTokens(limit: number): number {
  return Math.max(256, Math.floor(answerShare * limit));
}

/** Cuts results in the middle: a file's beginning and a program's last lines say the most. */
function cutResults(message: ConversationMessage, longest: number): ConversationMessage {
  if (message.role !== 'results' || longest === Infinity) return message;
  const cut = (content: MessageContent): MessageContent =>
    content.kind === 'text' ? { kind: 'text', text: cutMiddle(content.text, longest) } : content;
  return { ...message, results: message.results.map((one) => ({ ...one, content: one.content.map(cut) })) };
}

function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const note = `\n… (${text.length - longest} characters are left out here) …\n`;
  const half = Math.max(0, Math.floor((longest - note.length) / 2));
  return `${clip(text, half)}${note}${clipEnd(text, half)}`;
}

function collectWindowContents(
  message: ConversationMessage,
  withoutComputer: boolean,
): readonly MessageContent[] {
  if (message.role === 'user') return message.content;
  if (message.role === 'model') return [];
  const ofResults = message.results.flatMap(({ content, ofComputer }) =>
    withoutComputer && ofComputer === true ? [] : content,
  );
  return [...ofResults, ...(message.said ?? [])];
}

/** An estimate, for messages that no server has counted. */
function estimateTokens(messages: readonly ConversationMessage[]): number {
  return messages.reduce((sum, message) => {
    if (message.role === 'model')
      return sum + JSON.stringify(message.verbatim ?? '').length / charactersPerToken;
    const contents = collectWindowContents(message, false);
    return contents.reduce(
      (all, one) => all + (one.kind === 'image' ? pictureTokens : one.text.length / charactersPerToken),
      sum,
    );
  }, 0);
}
