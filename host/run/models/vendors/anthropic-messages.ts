import type Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import type { AnswerJoiner } from '../answer-reader.ts';
import {
  type AnswerBlock,
  type CallResult,
  type ConversationMessage,
  encodeBase64,
  type MessageContent,
  parseCallArguments,
  toCallArguments,
  toSendableName,
  toSendableText,
} from '../model.ts';
import { dropNulls, readArrayItems, readObjectFields } from '../token-usage.ts';

type AnthropicMessage = Anthropic.MessageParam;
type ContentParam = Anthropic.ContentBlockParam;

/**
 * A conversation as the Messages API takes it: turns alternate, and the results of calls come first in theirs.
 * @param toolset whether calls of the computer are those of a toolset
 */
export function toMessages(messages: readonly ConversationMessage[], toolset: boolean): AnthropicMessage[] {
  const params: { readonly role: 'user' | 'assistant'; readonly content: ContentParam[] }[] = [];
  let members = new Set<string>();
  for (const message of messages) {
    if (message.role === 'model') {
      const content = message.verbatim as ContentParam[];
      if (content.length > 0) params.push({ role: 'assistant', content });
      members = new Set(message.blocks.flatMap((one) => (one.kind === 'computer' ? [one.id] : [])));
      continue;
    }
    const content =
      message.role === 'user'
        ? message.content.map(toBlock)
        : [
            ...message.results.map((result) => toResult(result, toolset && members.has(result.id))),
            ...message.results.flatMap(collectFailedPictures).map(toBlock),
            ...(message.said ?? []).map(toBlock),
          ];
    const last = params.at(-1);
    if (last?.role === 'user') last.content.push(...content);
    else params.push({ role: 'user', content });
  }
  return params;
}

/** The result of a failure has text alone. The model still sees its pictures: after all results. */
function collectFailedPictures({ failed, content }: CallResult): MessageContent[] {
  return failed ? content.filter(({ kind }) => kind === 'image') : [];
}

function toBlock(content: MessageContent): Anthropic.TextBlockParam | Anthropic.ImageBlockParam {
  if (content.kind === 'text') return { type: 'text', text: toSendableText(content.text) };
  const { bytes, mime } = content;
  return { type: 'image', source: { type: 'base64', media_type: mime, data: encodeBase64(bytes) } };
}

function toResult({ id, failed, content }: CallResult, member: boolean): Anthropic.ToolResultBlockParam {
  const shown = content.filter(({ kind }) => !failed || kind === 'text').map(toBlock);
  return {
    type: 'tool_result',
    tool_use_id: id,
    // A failure without words is refused.
    content: failed && shown.length === 0 ? [toBlock({ kind: 'text', text: '' })] : shown,
    ...(failed && { is_error: true }),
    ...(member && { toolset_name: 'computer' }),
  };
}

const answeredBlock = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({
    type: z.literal('thinking'),
    thinking: z.string(),
    signature: z.string().nullish(),
  }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string(),
    input: z.unknown().optional(),
    toolset_name: z.string().nullish(),
  }),
  // Kinds that mean nothing here go back as they came.
  z
    .looseObject({ type: z.string() })
    .refine(({ type }) => !['text', 'thinking', 'redacted_thinking', 'tool_use'].includes(type)),
]);

/** An answer of the Messages API, as far as an agent needs it. */
export const anthropicAnswer = z.looseObject({
  type: z.literal('message').optional(),
  content: z.array(answeredBlock),
  stop_reason: z.string().nullish(),
  usage: z.unknown().optional(),
});
export type AnthropicAnswer = z.output<typeof anthropicAnswer>;
type AnthropicBlock = z.output<typeof answeredBlock>;

/** A model's answer, from the Messages API's form. Blocks of kinds that mean nothing here are left out. */
export function readAnthropicBlocks(content: readonly AnthropicBlock[]): AnswerBlock[] {
  return content.flatMap((said): AnswerBlock[] => {
    if (isText(said)) return [{ kind: 'text', text: said.text }];
    if (isCall(said)) return [toCall(said)];
    return isThinking(said) ? [{ kind: 'thinking', text: readBlockText(said) }] : [];
  });
}

/** All but a call that was cut at the token limit: half of its input would be executed, or sent back. */
export function dropCutBlocks({ content, stop_reason: stop }: AnthropicAnswer): AnthropicBlock[] {
  const last = content.at(-1);
  const isCut = stop === 'max_tokens' || stop === 'model_context_window_exceeded';
  return isCut && last?.type === 'tool_use' ? content.slice(0, -1) : content;
}

/**
 * The part of an answer that the API takes back: no text without words, no thought without its signature, and no
 * thought at the end ("The final block in an assistant message cannot be `thinking`").
 */
export function keepSendableBlocks(content: readonly AnthropicBlock[]): AnthropicBlock[] {
  const sent = content.flatMap((said): AnthropicBlock[] => {
    if (isText(said)) return said.text.trim() === '' ? [] : [dropNulls(said)];
    if (said.type === 'thinking') return isSigned(said) ? [dropNulls(said)] : [];
    return isCall(said)
      ? [
          {
            ...dropNulls(said),
            name: toSendableName(said.name),
            input: toCallArguments(said.input).arguments ?? {},
          },
        ]
      : [dropNulls(said)];
  });
  const end = sent.findLastIndex((said) => !isThinking(said));
  return sent.slice(0, end + 1);
}

type TextBlock = Extract<AnthropicBlock, { type: 'text' }>;
type CallBlock = Extract<AnthropicBlock, { type: 'tool_use' }>;

function isText(said: AnthropicBlock): said is TextBlock {
  return said.type === 'text';
}

function isCall(said: AnthropicBlock): said is CallBlock {
  return said.type === 'tool_use';
}

function isThinking({ type }: AnthropicBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function isSigned(said: AnthropicBlock): boolean {
  return 'signature' in said && typeof said['signature'] === 'string' && said['signature'] !== '';
}

/** Empty where the vendor keeps the thought to itself. */
function readBlockText(said: AnthropicBlock): string {
  return 'thinking' in said && typeof said['thinking'] === 'string' ? said['thinking'] : '';
}

/** A toolset's calls have the action as their name; those of the older tools have it in their input. */
function toCall({ id, name, input, toolset_name: toolset }: CallBlock): AnswerBlock {
  // A text is input that could not be parsed.
  const given = typeof input === 'string' ? parseCallArguments(input) : toCallArguments(input);
  if (toolset === 'computer')
    return { kind: 'computer', id, actions: [{ action: name, ...given.arguments }], safetyChecks: [] };
  if (name === 'computer')
    return { kind: 'computer', id, actions: [{ ...given.arguments }], safetyChecks: [] };
  return { kind: 'call', id, name, ...given };
}

type EventFields = Readonly<Record<string, unknown>>;

/** A block as it grows, with the JSON of its input as far as it has come. */
interface GrowingBlock {
  readonly block: EventFields;
  readonly input: string;
}

/** Joins the events of the Messages API. */
export class AnthropicJoiner implements AnswerJoiner {
  readonly #blocks = new Map<number, GrowingBlock>();
  #message: EventFields = {};
  #isDone = false;

  get state(): AnswerJoiner['state'] {
    if (this.#isDone) return 'done';
    return typeof this.#message['stop_reason'] === 'string' ? 'whole' : 'open';
  }

  get answer(): EventFields {
    const content = [...this.#blocks]
      .sort(([one], [other]) => one - other)
      .map(([, one]) => finishBlock(one));
    return { ...this.#message, content };
  }

  add(event: unknown): void {
    const { type, message, index, content_block: block, delta, usage } = readObjectFields(event);
    if (type === 'message_start') this.#message = readObjectFields(message);
    if (type === 'message_delta')
      this.#message = {
        ...this.#message,
        ...dropNulls(readObjectFields(delta)),
        // Counts of the whole message so far; those that do not change are left out.
        usage: { ...readObjectFields(this.#message['usage']), ...dropNulls(readObjectFields(usage)) },
      };
    if (type === 'message_stop') this.#isDone = true;
    if (typeof index !== 'number') return;
    if (type === 'content_block_start')
      this.#blocks.set(index, { block: readObjectFields(block), input: '' });
    if (type === 'content_block_delta') this.#grow(index, readObjectFields(delta));
  }

  #grow(index: number, { partial_json: json, citation, ...rest }: EventFields): void {
    const { block, input } = this.#blocks.get(index) ?? { block: {}, input: '' };
    const citations =
      citation === undefined ? {} : { citations: [...readArrayItems(block['citations']), citation] };
    this.#blocks.set(index, {
      block: { ...block, ...citations, ...growBlock(block, rest) },
      input: typeof json === 'string' ? input + json : input,
    });
  }
}

/** A text, a thought and its signature come in pieces, and so do other fields of a block. */
function growBlock(block: EventFields, pieces: EventFields): EventFields {
  return Object.fromEntries(
    Object.entries(pieces).flatMap(([name, piece]) => {
      // The type is that of the piece.
      if (name === 'type') return [];
      const before = block[name];
      return [[name, typeof before === 'string' && typeof piece === 'string' ? before + piece : piece]];
    }),
  );
}

/** Text that is not JSON stays as the model wrote it. */
function finishBlock({ block, input }: GrowingBlock): EventFields {
  if (input === '') return block;
  try {
    return { ...block, input: JSON.parse(input) };
  } catch {
    return { ...block, input };
  }
}
