import type OpenAI from 'openai';
import { type Cancellable, PwpError } from '../../../../bridge/lib/index.ts';
import { checkAnswer } from '../answer-reader.ts';
import { askModel, limitProbeTries, type ModelEndpoint, ModelError, StreamingSupport } from '../ask-model.ts';
import type { SdkTransport } from '../model-exchange.ts';
import { defaultMaxOutput, type ModelSettings } from '../model-settings.ts';
import {
  type AnswerBlock,
  type ConversationMessage,
  encodeDataUrl,
  type MessageContent,
  type Model,
  type ModelTurn,
  type TurnOptions,
  type TurnRequest,
} from '../model.ts';
import { makeUsageFinder, readObjectFields, readTokenUsage, type TokenUsage } from '../token-usage.ts';
import {
  chatAnswer,
  type ChatAnswerMessage,
  ChatJoiner,
  findRefusedFields,
  listExtraCallFields,
  readChatReply,
  type SendableReply,
} from './openai-chat-messages.ts';
import { makeOpenaiEndpoint, openOpenaiClient } from './openai-client.ts';

type Params = OpenAI.Chat.ChatCompletionCreateParams;
type Param = OpenAI.Chat.ChatCompletionMessageParam;
type Part = OpenAI.Chat.ChatCompletionContentPart;

/** Models of any server that speaks OpenAI's Chat Completions, e.g. vLLM, llama.cpp, Ollama. */
export class ChatModel implements Model {
  readonly vendor = 'chat';
  readonly needsPictures = false;
  readonly hasComputer = false;
  readonly notSet: readonly string[];
  readonly name: string;
  readonly #key: string;
  readonly #settings: ModelSettings;
  readonly #line: ModelEndpoint;
  readonly #streaming: StreamingSupport;
  /** Fields that the server has refused: of its own messages, and `stream_options`. */
  readonly #refused = new Set<string>();
  /** Ids that were made for calls without one. */
  #made = 0;

  constructor(name: string, key: string, settings: ModelSettings) {
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.#line = {
      ...makeOpenaiEndpoint(name, key, settings),
      join: () => new ChatJoiner(),
      usage: makeUsageFinder(readUsageCounts),
    };
    this.#streaming = new StreamingSupport(settings);
    this.notSet = typeof settings.thinking === 'number' ? ['thinking'] : [];
  }

  /** A server that lists no models is taken at the user's word. */
  async check({ signal }: Cancellable = {}): Promise<void> {
    const names = await this.#listed({ signal });
    if (names === null || names.includes(this.name) || names.includes(`${this.name}:latest`)) return;
    throw new PwpError('no-such-model', `${this.#line.server} has no model ${JSON.stringify(this.name)}`, {
      help: `It has: ${names.slice(0, 20).join(', ')}`,
    });
  }

  async turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    try {
      return await this.#turnOnce(request, options);
    } catch (error) {
      if (!this.#learns(error, request) && !this.#streaming.learns(error)) throw error;
      return await this.turn(request, options);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  /** Names of its models; null where the server has no such list. */
  async #listed({ signal }: Cancellable): Promise<readonly string[] | null> {
    const send = async (through: SdkTransport, limit: AbortSignal): Promise<unknown> =>
      (await openOpenaiClient(this.#key, this.#settings, through.fetch)).models.list({ signal: limit });
    try {
      const { answer } = await askModel(limitProbeTries(this.#line), send, { signal });
      const { data } = answer as { readonly data?: unknown };
      if (!Array.isArray(data)) return null;
      const names = (data as unknown[]).map((one) => readObjectFields(one)['id']);
      const known = names.filter((name) => typeof name === 'string');
      return known.length > 0 ? known : null;
    } catch (error) {
      const hasNone = error instanceof ModelError && ['no-such-model', 'model-answer'].includes(error.code);
      if (hasNone || (error instanceof ModelError && [405, 501].includes(error.exchange.status ?? 0)))
        return null;
      throw error;
    }
  }

  async #turnOnce(request: TurnRequest, options: TurnOptions): Promise<ModelTurn> {
    const params = this.#params(request);
    const send = async (through: SdkTransport, limit: AbortSignal) => {
      const client = await openOpenaiClient(this.#key, this.#settings, through.fetch);
      await client.chat.completions.create(params, { signal: limit });
      return checkAnswer(chatAnswer, through.answer, 'completion with a message');
    };
    const { answer, ...rest } = await askModel(this.#line, send, options);
    const [choice] = answer.choices;
    const { message, finish_reason: reason } = choice ?? { message: {} };
    const { blocks, sent } = readChatReply(
      message,
      reason === 'length',
      () => `call_made_${(this.#made += 1)}`,
    );
    return {
      message: { role: 'model', blocks, verbatim: sent },
      stop: readStopReason(message, reason, blocks),
      usage: readUsageCounts(answer.usage),
      ...rest,
    };
  }

  /** Whether the server refused a field that it had itself sent, or one of ours that it can do without: it is left out from now on. */
  #learns(error: unknown, { messages }: TurnRequest): boolean {
    if (!(error instanceof ModelError) || error.code !== 'model-refused-request') return false;
    const sent = messages.flatMap((one) => (one.role === 'model' ? [one.verbatim as SendableReply] : []));
    const fields = [
      ...(this.#streaming.isOn ? ['stream_options'] : []),
      ...sent.flatMap((one) =>
        one ? [...Object.keys(one.extras), ...listExtraCallFields(one.message)] : [],
      ),
    ];
    const open = [...new Set(fields)].filter((name) => !this.#refused.has(name));
    const refused = findRefusedFields(open, error.exchange.response);
    for (const name of refused) this.#refused.add(name);
    return refused.length > 0;
  }

  #params({ system, messages, tools, maxOutput: room = Infinity }: TurnRequest): Params {
    const { maxOutput = defaultMaxOutput, temperature, seed, thinking } = this.#settings;
    const said = messages.flatMap((message) => toParams(message, this.#refused));
    return {
      model: this.name,
      messages: [{ role: 'system', content: system }, ...joinSameRoles(said)],
      // The older name, which is what compatible servers know.
      max_tokens: Math.min(maxOutput, room),
      ...(this.#streaming.isOn && {
        stream: true,
        // Many count nothing in a stream unless they are asked to.
        ...(!this.#refused.has('stream_options') && { stream_options: { include_usage: true } }),
      }),
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, schema }) => ({
          type: 'function' as const,
          function: { name, description, parameters: { ...schema } },
        })),
      }),
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
      ...(typeof thinking === 'string' && { reasoning_effort: thinking as OpenAI.ReasoningEffort }),
    };
  }
}

function toParams(message: ConversationMessage, refused: ReadonlySet<string>): Param[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.content.map(toPart) }];
    case 'model':
      return toAssistant(message.verbatim as SendableReply, refused);
    case 'results':
      return toResults(message);
  }
}

function toAssistant(said: SendableReply, refused: ReadonlySet<string>): Param[] {
  if (!said) return [];
  const { message, extras } = said;
  const calls = message.tool_calls?.map((one) => withoutFields(one, refused));
  return [{ ...withoutFields(extras, refused), ...message, ...(calls && { tool_calls: calls }) }];
}

function withoutFields<T extends object>(fields: T, names: ReadonlySet<string>): T {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name))) as T;
}

/** Many servers want the roles to alternate: what follows an answer that was left out goes with what was before it. */
function joinSameRoles(params: readonly Param[]): Param[] {
  const made: Param[] = [];
  for (const one of params) {
    const last = made.at(-1);
    if (
      one.role === 'user' &&
      last?.role === 'user' &&
      Array.isArray(last.content) &&
      Array.isArray(one.content)
    )
      made.splice(-1, 1, { ...last, content: [...last.content, ...one.content] });
    else made.push(one);
  }
  return made;
}

/** A result has only text: all pictures of a turn follow once every call has its result, then a person's words. */
function toResults({
  results,
  said = [],
}: Extract<ConversationMessage, { readonly role: 'results' }>): Param[] {
  const pictures = results.flatMap(({ content }) => content.filter(({ kind }) => kind === 'image'));
  return [
    ...results.map(({ id, content }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: joinContentTexts(content),
    })),
    ...(pictures.length + said.length > 0
      ? [{ role: 'user' as const, content: [...pictures, ...said].map(toPart) }]
      : []),
  ];
}

function joinContentTexts(content: readonly MessageContent[]): string {
  const text = content.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('\n');
  return text === '' ? 'See the picture.' : text;
}

function toPart(content: MessageContent): Part {
  if (content.kind === 'text') return { type: 'text', text: content.text };
  return { type: 'image_url', image_url: { url: encodeDataUrl(content) } };
}

function readStopReason(
  { refusal }: ChatAnswerMessage,
  reason: string | null | undefined,
  blocks: readonly AnswerBlock[],
): ModelTurn['stop'] {
  if (refusal || reason === 'content_filter') return 'refusal';
  if (reason === 'length') return 'length';
  return blocks.some(({ kind }) => kind === 'call') ? 'calls' : 'end';
}

function readUsageCounts(usage: unknown): TokenUsage {
  const counted = readObjectFields(usage);
  return readTokenUsage({
    input: counted['prompt_tokens'],
    output: counted['completion_tokens'],
    cached: readObjectFields(counted['prompt_tokens_details'])['cached_tokens'],
    cacheWritten: null,
    thinking: readObjectFields(counted['completion_tokens_details'])['reasoning_tokens'],
  });
}
