import type OpenAI from 'openai';
import { PwpError, type Cancellable } from '../../../bridge/lib/index.ts';
import { parsedObject } from '../arguments.ts';
import { ask, type Line } from '../ask.ts';
import type { Fetch } from '../exchange.ts';
import {
  dataUrl,
  unknownUsage,
  type Block,
  type Content,
  type Message,
  type Model,
  type ModelTurn,
  type TurnOptions,
  type TurnRequest,
  type Usage,
} from '../model.ts';
import { defaultMaxOutput, type ModelSettings } from '../settings.ts';
import { lineOf, openClient } from './client.ts';

type Completion = OpenAI.Chat.ChatCompletion;
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

  constructor(name: string, key: string, settings: ModelSettings) {
    this.name = name;
    this.#key = key;
    this.#settings = settings;
    this.#line = lineOf(name, key, settings);
    this.notSet = typeof settings.thinking === 'number' ? ['thinking'] : [];
  }

  async check({ signal }: Cancellable = {}): Promise<void> {
    const send = async (through: Fetch, limit: AbortSignal) =>
      (await (await openClient(this.#key, this.#settings, through)).models.list({ signal: limit })).data;
    const { answer } = await ask(this.#line, send, { signal });
    if (answer.some(({ id }) => id === this.name)) return;
    const names = answer.map(({ id }) => id).slice(0, 20);
    throw new PwpError('no-such-model', `${this.#line.server} has no model ${JSON.stringify(this.name)}`, {
      help: names.length > 0 ? `It has: ${names.join(', ')}` : 'It has none.',
    });
  }

  async turn(request: TurnRequest, options: TurnOptions = {}): Promise<ModelTurn> {
    const params = this.#params(request);
    const send = async (through: Fetch, limit: AbortSignal) => {
      const client = await openClient(this.#key, this.#settings, through);
      return requireWhole(await client.chat.completions.create(params, { signal: limit }));
    };
    const { answer, ...rest } = await ask(this.#line, send, options);
    const { message, finish_reason: reason } = answer.choice;
    const blocks = toBlocks(message);
    return {
      message: { role: 'model', blocks, verbatim: message },
      stop: stopOf(message, reason, blocks),
      usage: usageOf(answer.usage),
      ...rest,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #params({ system, messages, tools }: TurnRequest): OpenAI.Chat.ChatCompletionCreateParamsNonStreaming {
    const { maxOutput = defaultMaxOutput, temperature, seed, thinking } = this.#settings;
    return {
      model: this.name,
      messages: [{ role: 'system', content: system }, ...messages.flatMap(toParams)],
      // The older name, which is what compatible servers know.
      max_tokens: maxOutput,
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

function requireWhole({ choices, usage }: Completion): {
  readonly choice: OpenAI.Chat.ChatCompletion.Choice;
  readonly usage: OpenAI.Chat.ChatCompletion['usage'];
} {
  const [choice] = Array.isArray(choices) ? choices : [];
  if (!choice) throw new PwpError('model-answer', 'the answer has no message');
  return { choice, usage };
}

function toParams(message: Message): Param[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.content.map(toPart) }];
    case 'model':
      return [withReadableCalls(message.verbatim as OpenAI.Chat.ChatCompletionAssistantMessageParam)];
    case 'results':
      return toResults(message);
  }
}

/**
 * Servers read the arguments of former calls again, and several answer 400 or 500 to what is no JSON object: the rest of
 * the conversation could not be had. The call's result says what was wrong.
 */
function withReadableCalls(message: OpenAI.Chat.ChatCompletionAssistantMessageParam): Param {
  const calls = message.tool_calls ?? [];
  if (calls.every((call) => call.type !== 'function' || isReadable(call.function.arguments))) return message;
  const readable = calls.map((call) =>
    call.type !== 'function' || isReadable(call.function.arguments)
      ? call
      : { ...call, function: { ...call.function, arguments: '{}' } },
  );
  return { ...message, tool_calls: readable };
}

function isReadable(written: string): boolean {
  return parsedObject(written).arguments !== null;
}

/** A result is text alone there: all pictures of a turn follow, once every call has its result, and what was said. */
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

function toBlocks(message: OpenAI.Chat.ChatCompletionMessage): Block[] {
  // Not of OpenAI's API, but of several servers that speak it.
  const { reasoning_content: thought } = message as { readonly reasoning_content?: unknown };
  return [
    ...(typeof thought === 'string' && thought !== '' ? [{ kind: 'thinking', text: thought } as const] : []),
    ...[message.content, message.refusal].flatMap((text): Block[] => (text ? [{ kind: 'text', text }] : [])),
    ...(message.tool_calls ?? []).flatMap((call): Block[] => {
      if (call.type !== 'function') return [];
      const { name, arguments: written } = call.function;
      return [{ kind: 'call', id: call.id, name, ...parsedObject(written) }];
    }),
  ];
}

function stopOf(
  message: OpenAI.Chat.ChatCompletionMessage,
  reason: OpenAI.Chat.ChatCompletion.Choice['finish_reason'],
  blocks: readonly Block[],
): ModelTurn['stop'] {
  if (message.refusal || reason === 'content_filter') return 'refusal';
  if (reason === 'length') return 'length';
  return blocks.some(({ kind }) => kind === 'call') ? 'calls' : 'end';
}

function usageOf(usage: OpenAI.Chat.ChatCompletion['usage']): Usage {
  if (!usage) return unknownUsage;
  return {
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cached: usage.prompt_tokens_details?.cached_tokens ?? null,
    cacheWritten: null,
    thinking: usage.completion_tokens_details?.reasoning_tokens ?? null,
  };
}
