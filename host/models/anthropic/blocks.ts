import * as z from 'zod';
import { objectOf, parsedObject } from '../arguments.ts';
import type { Block } from '../model.ts';
import { sentName } from '../names.ts';

const block = z.union([
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
  content: z.array(block),
  stop_reason: z.string().nullish(),
  usage: z.unknown().optional(),
});
export type AnthropicAnswer = z.output<typeof anthropicAnswer>;
export type SaidBlock = z.output<typeof block>;

/** A model's answer, from the Messages API's form. Blocks of kinds that mean nothing here are left out. */
export function toBlocks(content: readonly SaidBlock[]): Block[] {
  return content.flatMap((said): Block[] => {
    if (isText(said)) return [{ kind: 'text', text: said.text }];
    if (isCall(said)) return [toCall(said)];
    return isThinking(said) ? [{ kind: 'thinking', text: textOf(said) }] : [];
  });
}

/** All but a call that was cut at the token limit: half of its input would be executed, or sent back. */
export function withoutCut({ content, stop_reason: stop }: AnthropicAnswer): SaidBlock[] {
  const last = content.at(-1);
  const isCut = stop === 'max_tokens' || stop === 'model_context_window_exceeded';
  return isCut && last?.type === 'tool_use' ? content.slice(0, -1) : content;
}

/**
 * The part of an answer that the API takes back: no text without words, no thought without its signature, and no
 * thought at the end ("The final block in an assistant message cannot be `thinking`").
 */
export function sentBack(content: readonly SaidBlock[]): SaidBlock[] {
  const sent = content.flatMap((said): SaidBlock[] => {
    if (isText(said)) return said.text.trim() === '' ? [] : [withoutNulls(said)];
    if (said.type === 'thinking') return isSigned(said) ? [withoutNulls(said)] : [];
    return isCall(said)
      ? [{ ...withoutNulls(said), name: sentName(said.name), input: objectOf(said.input).arguments ?? {} }]
      : [withoutNulls(said)];
  });
  const end = sent.findLastIndex((said) => !isThinking(said));
  return sent.slice(0, end + 1);
}

/** The API answers `null` for these fields, but takes back only a value. */
function withoutNulls<T extends SaidBlock>(said: T): T {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null)) as T;
}

type TextBlock = Extract<SaidBlock, { type: 'text' }>;
type CallBlock = Extract<SaidBlock, { type: 'tool_use' }>;

function isText(said: SaidBlock): said is TextBlock {
  return said.type === 'text';
}

function isCall(said: SaidBlock): said is CallBlock {
  return said.type === 'tool_use';
}

function isThinking({ type }: SaidBlock): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function isSigned(said: SaidBlock): boolean {
  return 'signature' in said && typeof said['signature'] === 'string' && said['signature'] !== '';
}

/** Empty where the vendor keeps the thought to itself. */
function textOf(said: SaidBlock): string {
  return 'thinking' in said && typeof said['thinking'] === 'string' ? said['thinking'] : '';
}

/** A toolset's calls have the action as their name; those of the older tools have it in their input. */
function toCall({ id, name, input, toolset_name: toolset }: CallBlock): Block {
  // A text is input that could not be parsed.
  const given = typeof input === 'string' ? parsedObject(input) : objectOf(input);
  if (toolset === 'computer')
    return { kind: 'computer', id, actions: [{ action: name, ...given.arguments }], safetyChecks: [] };
  if (name === 'computer')
    return { kind: 'computer', id, actions: [{ ...given.arguments }], safetyChecks: [] };
  return { kind: 'call', id, name, ...given };
}
