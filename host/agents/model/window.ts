import type { Content, Message, Usage } from '../../models/index.ts';

/** How much of a conversation is sent. */
export interface WindowLimits {
  /** Pictures at most; then the oldest are left out, half of them at once, so that the rest stays in the cache. */
  readonly pictures: number;
  /** Tokens of a request; beyond that, whole turns are left out, the oldest first. */
  readonly tokens: number;
}

export const defaultWindow: WindowLimits = { pictures: 20, tokens: 150_000 };

/** What is left out of a conversation. */
export interface Dropped {
  readonly pictures: number;
  readonly turns: number;
}

/** Turns that always stay. */
const newest = 2;
/** A picture's cost, and a token's length, where no server has counted them yet. */
const pictureTokens = 1500;
const charactersPerToken = 3.5;
/** What is left after dropping turns, of the limit. */
const kept = 0.6;

const gone: Content = { kind: 'text', text: '(an older picture is left out here)' };

/**
 * Chooses what of a conversation is sent. What was dropped stays so: a conversation that changed its beginning with each
 * turn would never be read from the cache. The messages are a task, then pairs of a model's turn and its results.
 */
export class ConversationWindow {
  readonly #limits: WindowLimits;
  /** Results of computer calls keep their picture: their vendor takes none without. */
  readonly #keepsPictures: boolean;
  /** Pictures and turns that are left out, counted from the first. */
  #pictures = 0;
  #turns = 0;

  constructor(limits: WindowLimits, keepsPictures: boolean) {
    this.#limits = limits;
    this.#keepsPictures = keepsPictures;
  }

  get dropped(): Dropped {
    return { pictures: this.#pictures, turns: this.#turns };
  }

  /**
   * @param messages all of the conversation, the task first
   * @param usage of the turn before, for a request that was one turn shorter
   */
  of(messages: readonly Message[], usage: Usage | null): Message[] {
    this.#dropTurns(messages, usage);
    const [task, ...rest] = messages;
    if (!task) return [];
    const sent = [task, ...rest.slice(2 * this.#turns)];
    // Pictures are counted from the first of all, also those that went with their turn.
    const went = this.#countPictures(messages) - this.#countPictures(sent);
    const there = this.#countPictures(sent);
    if (there - Math.max(0, this.#pictures - went) > this.#limits.pictures)
      this.#pictures = went + there - Math.ceil(this.#limits.pictures / 2);
    return this.#withoutOldest(sent, this.#pictures - went);
  }

  #dropTurns(messages: readonly Message[], usage: Usage | null): void {
    const [task, ...rest] = messages;
    if (!task) return;
    const sent = [task, ...rest.slice(2 * this.#turns)];
    const guess = tokensOf(sent);
    // What was counted for all but the newest turn says how far the guess is off.
    const before = tokensOf(sent.slice(0, -2));
    const scale = usage?.input != null && before > 0 ? usage.input / before : 1;
    if (guess * scale <= this.#limits.tokens) return;
    let left = guess;
    const most = Math.max(0, Math.floor(rest.length / 2) - newest);
    while (this.#turns < most && left * scale > kept * this.#limits.tokens) {
      left -= tokensOf(rest.slice(2 * this.#turns, 2 * this.#turns + 2));
      this.#turns += 1;
    }
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

function contentsOf(message: Message, withoutComputer: boolean): readonly Content[] {
  if (message.role === 'user') return message.content;
  if (message.role === 'model') return [];
  const ofResults = message.results.flatMap(({ content, ofComputer }) =>
    withoutComputer && ofComputer === true ? [] : content,
  );
  return [...ofResults, ...(message.said ?? [])];
}

/** A guess, for messages that nobody has counted. */
function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => {
    if (message.role === 'model') return sum + JSON.stringify(message.verbatim).length / charactersPerToken;
    const contents = contentsOf(message, false);
    return contents.reduce(
      (all, one) => all + (one.kind === 'image' ? pictureTokens : one.text.length / charactersPerToken),
      sum,
    );
  }, 0);
}
