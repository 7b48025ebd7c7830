import type OpenAI from 'openai';
import { PwpError, type Cancellable } from '../../../bridge/lib/index.ts';
import { ModelError, ask, checking, type Line } from '../ask.ts';
import type { Through } from '../exchange.ts';
import {
  dataUrl,
  type Block,
  type Content,
  type Message,
  type Model,
  type ModelTurn,
  type TurnOptions,
  type TurnRequest,
} from '../model.ts';
import { defaultMaxOutput, type ModelSettings } from '../settings.ts';
import { Streaming } from '../streaming.ts';
import { fieldsOf, isCounted, usageFrom, type Usage } from '../usage.ts';
import { wholeAnswer } from '../whole.ts';
import { lineOf, openClient } from './client.ts';
import { ChatJoiner } from './join-chat.ts';
import {
  chatAnswer,
  extrasOfCalls,
  readSaid,
  refusedFields,
  type SaidMessage,
  type SentBack,
} from './said.ts';

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
  readonly #line: Line;
  readonly #streaming: Streaming;
  /** Fields that the server has refused: of its own messages, and `stream_options`. */
  readonly #refused = new Set<string>();
  /** Ids that were made for calls without one. */
  #made = 0;

  constructor(name: string, key: string, settings: ModelSettings) {
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.#line = { ...lineOf(name, key, settings), join: () => new ChatJoiner(), usage: usageIn };
    this.#streaming = new Streaming(settings);
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
    const send = async (through: Through, limit: AbortSignal): Promise<unknown> =>
      (await openClient(this.#key, this.#settings, through.fetch)).models.list({ signal: limit });
    try {
      const { answer } = await ask(checking(this.#line), send, { signal });
      const { data } = answer as { readonly data?: unknown };
      if (!Array.isArray(data)) return null;
      const names = (data as unknown[]).map((one) => fieldsOf(one)['id']);
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
    const send = async (through: Through, limit: AbortSignal) => {
      const client = await openClient(this.#key, this.#settings, through.fetch);
      await client.chat.completions.create(params, { signal: limit });
      return wholeAnswer(chatAnswer, through.answer, 'completion with a message');
    };
    const { answer, ...rest } = await ask(this.#line, send, options);
    const [choice] = answer.choices;
    const { message, finish_reason: reason } = choice ?? { message: {} };
    const { blocks, sent } = readSaid(message, reason === 'length', () => `call_made_${(this.#made += 1)}`);
    return {
      message: { role: 'model', blocks, verbatim: sent },
      stop: stopOf(message, reason, blocks),
      usage: usageOf(answer.usage),
      ...rest,
    };
  }

  /** Whether the server refused a field that it had itself sent, or one of ours that it can do without: it is left out from now on. */
  #learns(error: unknown, { messages }: TurnRequest): boolean {
    if (!(error instanceof ModelError) || error.code !== 'model-refused-request') return false;
    const sent = messages.flatMap((one) => (one.role === 'model' ? [one.verbatim as SentBack] : []));
    const fields = [
      ...(this.#streaming.isOn ? ['stream_options'] : []),
      ...sent.flatMap((one) => (one ? [...Object.keys(one.extras), ...extrasOfCalls(one.message)] : [])),
    ];
    const open = [...new Set(fields)].filter((name) => !this.#refused.has(name));
    const refused = refusedFields(open, error.exchange.response);
    for (const name of refused) this.#refused.add(name);
    return refused.length > 0;
  }

  #params({ system, messages, tools, maxOutput: room = Infinity }: TurnRequest): Params {
    const { maxOutput = defaultMaxOutput, temperature, seed, thinking } = this.#settings;
    const said = messages.flatMap((message) => toParams(message, this.#refused));
    return {
      model: this.name,
      messages: [{ role: 'system', content: system }, ...joined(said)],
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

function toParams(message: Message, refused: ReadonlySet<string>): Param[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.content.map(toPart) }];
    case 'model':
      return toAssistant(message.verbatim as SentBack, refused);
    case 'results':
      return toResults(message);
  }
}

function toAssistant(said: SentBack, refused: ReadonlySet<string>): Param[] {
  if (!said) return [];
  const { message, extras } = said;
  const calls = message.tool_calls?.map((one) => without(one, refused));
  return [{ ...without(extras, refused), ...message, ...(calls && { tool_calls: calls }) }];
}

function without<T extends object>(fields: T, names: ReadonlySet<string>): T {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name))) as T;
}

/** Many servers want the roles to alternate: what follows an answer that was left out goes with what was before it. */
function joined(params: readonly Param[]): Param[] {
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
function toResults({ results, said = [] }: Extract<Message, { readonly role: 'results' }>): Param[] {
  const pictures = results.flatMap(({ content }) => content.filter(({ kind }) => kind === 'image'));
  return [
    ...results.map(({ id, content }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: textOf(content),
    })),
    ...(pictures.length + said.length > 0
      ? [{ role: 'user' as const, content: [...pictures, ...said].map(toPart) }]
      : []),
  ];
}

function textOf(content: readonly Content[]): string {
  const text = content.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('\n');
  return text === '' ? 'See the picture.' : text;
}

function toPart(content: Content): Part {
  if (content.kind === 'text') return { type: 'text', text: content.text };
  return { type: 'image_url', image_url: { url: dataUrl(content) } };
}

function stopOf(
  { refusal }: SaidMessage,
  reason: string | null | undefined,
  blocks: readonly Block[],
): ModelTurn['stop'] {
  if (refusal || reason === 'content_filter') return 'refusal';
  if (reason === 'length') return 'length';
  return blocks.some(({ kind }) => kind === 'call') ? 'calls' : 'end';
}

function usageOf(usage: unknown): Usage {
  const counted = fieldsOf(usage);
  return usageFrom({
    input: counted['prompt_tokens'],
    output: counted['completion_tokens'],
    cached: fieldsOf(counted['prompt_tokens_details'])['cached_tokens'],
    cacheWritten: null,
    thinking: fieldsOf(counted['completion_tokens_details'])['reasoning_tokens'],
  });
}

function usageIn(response: unknown): Usage | null {
  const usage = usageOf(fieldsOf(response)['usage']);
  return isCounted(usage) ? usage : null;
}
