import type { ViewOptions } from '../../../node/index.ts';
import {
  addTokenUsage,
  type CallResult,
  collectContents,
  computeCost,
  type ConversationMessage,
  type FunctionTool,
  type MessageContent,
  type Model,
  ModelError,
  type ModelTurn,
  priceOf,
  type RequestTry,
  type TokenUsage,
  type TurnOptions,
} from '../../models/index.ts';
import type { ModelExchange } from '../../record/index.ts';
import type { Agent, ChatMessage, DecideOptions, Decision, Turn } from '../agent.ts';
import type { AgentKind, ObservationPart } from './agent-kinds.ts';
import { type AgentSettings, defaultModelView } from './agent-settings.ts';
import type { AgentTools } from './agent-tools.ts';
import { ConversationWindow, defaultWindow, reserveAnswerTokens } from './conversation-window.ts';
import {
  actTool,
  type CallActions,
  finishTool,
  lookTool,
  readTurnActions,
  toCallResults,
} from './model-calls.ts';
import { showObservation, showScreen } from './shown-observation.ts';

interface ModelAgentOptions extends Pick<AgentSettings, 'observe' | 'view' | 'maxPictures' | 'maxContext'> {
  readonly kind: AgentKind;
  readonly model: Model;
  readonly system: string;
  readonly tools: AgentTools;
  /** Pictures of the task, shown with its instruction. */
  readonly pictures?: readonly Extract<MessageContent, { kind: 'image' }>[];
}

/** The number of answers in a row that may be cut before a call; the model is asked again after each. */
const mostCuts = 3;
const cutText: MessageContent = {
  kind: 'text',
  text: 'Your last answer was cut at its limit of tokens before it had called anything. Answer again, in fewer words.',
};

const cutAfterCalls: MessageContent = {
  kind: 'text',
  text: 'Your last answer was cut at its limit of tokens. The calls that were whole have been done, and no other.',
};

/** A model in a loop: it is shown the IDE, calls tools, and gets their results. One instance, one episode. */
export class ModelAgent implements Agent {
  readonly name: string;
  readonly view: ViewOptions;
  readonly #options: ModelAgentOptions;
  readonly #parts: ReadonlySet<ObservationPart>;
  readonly #offered: readonly FunctionTool[];
  readonly #window: ConversationWindow;
  readonly #messages: ConversationMessage[] = [];
  #calls: readonly CallActions[] = [];
  #cuts = 0;
  /** The last answer was cut after a call. */
  #isCut = false;
  /** Maximum tokens of an answer, as its server has reported. */
  #maxOutput: number | undefined;
  #usage: TokenUsage | null = null;
  #unanswered: Pick<Decision, 'asked' | 'exchanges'> | undefined;

  constructor(options: ModelAgentOptions) {
    const { kind, model, tools, observe, view = defaultModelView } = options;
    const { maxPictures = defaultWindow.pictures, maxContext = defaultWindow.tokens } = options;
    this.name = kind.name;
    this.view = { format: model.vendor === 'chat' ? 'png' : 'webp', within: view };
    this.#options = options;
    const trained = kind.computer && model.hasComputer;
    this.#parts = new Set(observe ?? (trained ? kind.trained : kind.untrained));
    const marks = this.#parts.has('marks') || this.#parts.has('marks-drawn');
    this.#offered = [
      ...tools.tools,
      ...(kind.computer && (!trained || marks) ? [actTool] : []),
      ...(kind.computer && !trained ? [lookTool] : []),
      finishTool,
    ];
    const besides = options.system.length + JSON.stringify(this.#offered).length;
    const limits = { pictures: maxPictures, tokens: maxContext };
    this.#window = new ConversationWindow(limits, model.needsPictures, besides);
  }

  get about(): NonNullable<Agent['about']> {
    const { model, system, tools, kind, maxPictures } = this.#options;
    // Each result of such a tool must have its picture, regardless of the limit.
    const keepsAll = kind.computer && model.hasComputer && model.needsPictures;
    const notSet = [...model.notSet, ...(keepsAll && maxPictures !== undefined ? ['maxPictures'] : [])];
    return {
      model: `${model.vendor}:${model.name}`,
      system,
      toolSet: tools.name,
      parts: [...this.#parts],
      notSet,
      tools: this.#offered.map((tool) => ({ ...tool })),
    };
  }

  takeUnanswered(): Pick<Decision, 'asked' | 'exchanges'> | undefined {
    const taken = this.#unanswered;
    this.#unanswered = undefined;
    return taken;
  }

  async decide(turn: Turn, options: DecideOptions): Promise<Decision | null> {
    const before = this.#messages.length;
    this.#messages.push(await this.#turnMessage(turn, options.signal));
    const { answer, exchanges, tries } = await this.#ask(turn, options).catch((error: unknown) => {
      // If a person stopped it, the next turn repeats this and more.
      this.#messages.splice(before);
      throw error;
    });
    const { kind } = this.#options;
    this.#usage = answer.usage;
    this.#messages.push(answer.message);
    const asked = readTurnActions(answer.message.blocks, this.#options.tools, kind.computer);
    this.#calls = asked.calls;
    const actions = asked.calls.flatMap((call) => call.actions);
    const refuses = answer.stop === 'refusal';
    const isCut = answer.stop === 'length' && asked.calls.length === 0;
    this.#cuts = isCut ? this.#cuts + 1 : 0;
    this.#isCut = answer.stop === 'length' && !isCut;
    return {
      actions,
      // An answer of words alone is an end, too, unless it was cut before it could call anything.
      done: asked.finished || (asked.calls.length === 0 && (!isCut || this.#cuts > mostCuts)),
      ...(refuses && { end: 'model-refused' }),
      ...this.#said(answer, tries),
      exchanges,
    };
  }

  /** Sends a refused request again with less content, as long as it can be reduced. */
  async #ask(turn: Turn, options: DecideOptions): Promise<AnsweredRequest> {
    const refused: ModelExchange[] = [];
    const tries: RequestTry[] = [];
    const onCut = (cut: readonly RequestTry[]) => this.#keepUnanswered(refused, [...tries, ...cut]);
    for (let pictures = hasPictures(turn); ;) {
      try {
        const { answer, exchanges } = await this.#askOnce(turn, { ...options, onCut });
        return { answer, exchanges: [...refused, ...exchanges], tries: [...tries, ...answer.tries] };
      } catch (error) {
        if (!(error instanceof ModelError)) throw error;
        refused.push(this.#exchange(error, this.#messages.at(-1)));
        tries.push(...error.tries);
        if (error.code === 'model-too-long' && this.#shorten(error)) continue;
        if (error.code !== 'model-refused-request' || !pictures) {
          this.#keepUnanswered(refused, tries);
          throw error;
        }
        // A picture of a file may be damaged, or larger than a server takes: the model gets a note in its place.
        pictures = false;
        this.#messages.splice(-1, 1, await this.#turnMessage(turn, options.signal, false));
      }
    }
  }

  #keepUnanswered(exchanges: readonly ModelExchange[], tries: readonly RequestTry[]): void {
    const asked = this.#took(tries);
    this.#unanswered = { exchanges, ...(asked && { asked }) };
  }

  /** Reduces a request that a server refused as too long; false if that is not possible. */
  #shorten({ room = { limit: null, input: null } }: ModelError): boolean {
    const { limit, input } = room;
    const most = limit === null ? undefined : reserveAnswerTokens(limit);
    const isLess = most !== undefined && most < (this.#maxOutput ?? Infinity);
    if (isLess) this.#maxOutput = most;
    // The conversation fits with a shorter answer: only the requested length of the answer was too much.
    if (isLess && input !== null && limit !== null && input + most <= limit) return true;
    return this.#window.shorten(this.#messages, room) || isLess;
  }

  async #askOnce(
    { observation: { screen } }: Turn,
    options: TurnOptions,
  ): Promise<Omit<AnsweredRequest, 'tries'>> {
    const { kind, model, system } = this.#options;
    const messages = this.#window.of(this.#messages, this.#usage);
    const { width, height } = screen.view ?? screen;
    const computer = kind.computer && model.hasComputer ? { width, height } : undefined;
    const { pictures, turns } = this.#window.dropped;
    const shortened = pictures + turns > 0;
    const asked = { system, messages, tools: this.#offered, computer, shortened, maxOutput: this.#maxOutput };
    const answer = await model.turn(asked, options);
    return { answer, exchanges: [this.#exchange(answer, messages.at(-1))] };
  }

  /**
   * The task at first, then the results of the calls, with the current state.
   * @param pictures whether to include the pictures that calls returned
   */
  async #turnMessage(turn: Turn, signal: AbortSignal, pictures = true): Promise<ConversationMessage> {
    const { kind, pictures: ofTask = [] } = this.#options;
    const cut = this.#cuts > 0 ? [cutText] : this.#isCut ? [cutAfterCalls] : [];
    const said = [...cut, ...(turn.messages ?? []).map(formatChatMessage)];
    if (!turn.last && this.#messages.length === 0) {
      const seen = kind.computer ? await showObservation(turn, this.#parts, signal) : [];
      const task: MessageContent = { kind: 'text', text: turn.instruction };
      return { role: 'user', content: [task, ...ofTask, ...said, ...seen] };
    }
    const results = toCallResults(this.#calls, turn.last, { effects: this.#parts.has('effects'), pictures });
    if (said.length === 0) return { role: 'results', results: await this.#withScreen(results, turn, signal) };
    // Without calls there is no result that could include the screen.
    const seen =
      kind.computer && results.length === 0 ? await showObservation(turn, this.#parts, signal) : [];
    const shownWith = await this.#withScreen(results, turn, signal);
    return { role: 'results', results: shownWith, said: [...said, ...seen] };
  }

  /** The screen goes with the last call that used it, or with the last of all. */
  async #withScreen(results: readonly CallResult[], turn: Turn, signal: AbortSignal): Promise<CallResult[]> {
    const { kind, model } = this.#options;
    const used = this.#calls.findLastIndex(({ screen }) => screen);
    const at = used >= 0 ? used : kind.looks === 'always' ? results.length - 1 : -1;
    const seen = kind.computer && at >= 0 ? await showObservation(turn, this.#parts, signal) : [];
    return results.map((result, i) => {
      const content = i === at ? [...result.content, ...seen] : result.content;
      const bare = result.ofComputer === true && content.every(({ kind: what }) => what !== 'image');
      const needs = bare && (model.needsPictures || i === at);
      return { ...result, content: needs ? [...content, showScreen(turn.observation)] : content };
    });
  }

  #said(
    { message, usage, ms }: ModelTurn,
    tries: readonly RequestTry[],
  ): Pick<Decision, 'message' | 'asked'> {
    const text = joinBlockTexts(message.blocks, 'text');
    const reasoning = joinBlockTexts(message.blocks, 'thinking');
    return {
      message: text,
      asked: {
        ...(reasoning !== '' && { reasoning }),
        llmCalls: 1,
        tries: tries.length,
        modelMs: Math.round(ms),
        // Failed tries cost money, too, if the server has counted them.
        ...this.#counted(collectUsage(tries).reduce(addTokenUsage, usage)),
      },
    };
  }

  /** The usage of tries without an answer; undefined if the server has counted nothing. */
  #took(tries: readonly RequestTry[]): Decision['asked'] {
    const [first, ...others] = collectUsage(tries);
    return (
      first && { llmCalls: 0, tries: tries.length, ...this.#counted(others.reduce(addTokenUsage, first)) }
    );
  }

  #counted(usage: TokenUsage): NonNullable<Decision['asked']> {
    const { model } = this.#options;
    return {
      ...knownField('promptTokens', usage.input),
      ...knownField('completionTokens', usage.output),
      ...knownField('cachedTokens', usage.cached),
      ...knownField('thinkingTokens', usage.thinking),
      ...knownField('costUsd', computeCost(priceOf(model.vendor, model.name), usage)),
    };
  }

  /** @param newest message of the request */
  #exchange(
    { exchange, tries }: Pick<ModelTurn, 'exchange' | 'tries'>,
    newest: ConversationMessage | undefined,
  ): ModelExchange {
    const dropped = { ...this.#window.dropped };
    return { ...exchange, tries: [...tries], dropped, images: collectPictures(newest) };
  }
}

interface AnsweredRequest {
  readonly answer: ModelTurn;
  readonly exchanges: readonly ModelExchange[];
  /** All tries, also those of refused requests. */
  readonly tries: readonly RequestTry[];
}

function collectUsage(tries: readonly RequestTry[]): TokenUsage[] {
  return tries.flatMap((one) => one.usage ?? []);
}

/** Whether a call of the last turn returned a picture. */
function hasPictures({ last }: Turn): boolean {
  return (last?.outcomes ?? []).some(({ images = [] }) => images.length > 0);
}

function joinBlockTexts(blocks: ModelTurn['message']['blocks'], kind: 'text' | 'thinking'): string {
  return blocks.flatMap((block) => (block.kind === kind ? [block.text] : [])).join('\n\n');
}

function knownField<K extends string>(name: K, value: number | null): Partial<Record<K, number>> {
  return value === null ? {} : ({ [name]: value } as Record<K, number>);
}

function formatChatMessage({ from, text }: ChatMessage): MessageContent {
  return { kind: 'text', text: `${from} says: ${text}` };
}

/** The pictures of the newest message; those of earlier messages were recorded with them. */
function collectPictures(
  message: ConversationMessage | undefined,
): Extract<MessageContent, { kind: 'image' }>[] {
  return (message ? collectContents(message) : []).filter((one) => one.kind === 'image');
}
