import type OpenAI from 'openai';
import * as z from 'zod';
import { objectOf, parsedObject } from '../arguments.ts';
import type { Block, FunctionCall } from '../model.ts';
import { sentName } from '../names.ts';
import { fieldsOf } from '../usage.ts';

type Sent = OpenAI.Chat.ChatCompletionAssistantMessageParam;

/** A call of a function. Servers leave out its type and its id, and send its arguments as an object. */
const call = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});
type SaidCall = z.output<typeof call>;

const message = z.looseObject({
  /** Text, or parts, of which only those of text are read. */
  content: z.union([z.string(), z.array(z.looseObject({}))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(call).nullish(),
});
export type SaidMessage = z.output<typeof message>;

/** An answer of a Chat Completions server, as far as an agent needs it. */
export const chatAnswer = z.looseObject({
  choices: z.array(z.looseObject({ message, finish_reason: z.string().nullish() })).min(1),
  usage: z.unknown().optional(),
});

/** A model's answer, with the part of it that goes back. */
export interface Said {
  readonly blocks: readonly Block[];
  readonly sent: SentBack;
}

/** Null if no part of it can go back: the model thought, and was cut before its first word. */
export type SentBack = {
  readonly message: Sent;
  /** Fields that this server added, e.g. `reasoning_content`: some servers want them back, others refuse them. */
  readonly extras: Readonly<Record<string, unknown>>;
} | null;

/** Fields of the protocol itself; other fields of a message are its server's own. */
const known = new Set(['role', 'content', 'refusal', 'tool_calls', 'function_call', 'annotations', 'audio']);
const knownOfCall = new Set(['id', 'type', 'index', 'function']);

/**
 * @param cut the answer was cut at its limit of tokens
 * @param madeId makes an id for the call at a place of the list, for one that has none
 */
export function readSaid(said: SaidMessage, cut: boolean, madeId: (place: number) => string): Said {
  const calls = withoutCut(said.tool_calls ?? [], cut).map((one, i) => ({ ...one, id: one.id || madeId(i) }));
  const ids = new Set<string>();
  const distinct = calls.map((one, i) => {
    const id = ids.has(one.id) ? madeId(i) : one.id;
    ids.add(id);
    return { ...one, id };
  });
  const texts = [textOf(said.content), said.refusal ?? ''].filter((text) => text !== '');
  const thought = [said['reasoning_content'], said['reasoning']].find((one) => typeof one === 'string');
  return {
    blocks: [
      ...(thought === undefined || thought === '' ? [] : [{ kind: 'thinking', text: thought } as const]),
      ...texts.map((text) => ({ kind: 'text', text }) as const),
      ...distinct.map(toBlock),
    ],
    sent: toSent(said, texts.join('\n'), distinct),
  };
}

/** A call whose arguments were cut is left out: half of them must not be executed. */
function withoutCut(calls: readonly SaidCall[], cut: boolean): readonly SaidCall[] {
  const last = calls.at(-1);
  return cut && last && given(last).arguments === null ? calls.slice(0, -1) : calls;
}

function toSent(said: SaidMessage, text: string, calls: readonly (SaidCall & { id: string })[]): SentBack {
  if (text.trim() === '' && calls.length === 0) return null;
  const extras = Object.entries(said).filter(([name, value]) => !known.has(name) && value !== null);
  return {
    message: {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length > 0 && { tool_calls: calls.map(toSentCall) }),
    },
    extras: Object.fromEntries(extras),
  };
}

/**
 * Servers read the arguments of former calls again, and several answer 400 or 500 to text that is not a JSON object:
 * the rest of the conversation would fail. The call's result says what was wrong.
 */
function toSentCall(
  one: SaidCall & { readonly id: string },
): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  const { id, function: called } = one;
  const { arguments: written, name } = called;
  const isReadable = given(one).arguments !== null;
  const text =
    typeof written === 'string' && written.trim() !== '' ? written : JSON.stringify(given(one).arguments);
  const extras = Object.entries(one).filter(([key, value]) => !knownOfCall.has(key) && value !== null);
  return {
    ...Object.fromEntries(extras),
    id,
    type: 'function',
    function: { name: sentName(name), arguments: isReadable ? text : '{}' },
  };
}

function toBlock(one: SaidCall & { readonly id: string }): FunctionCall {
  return { kind: 'call', id: one.id, name: one.function.name, ...given(one) };
}

function given({ function: { arguments: written } }: SaidCall): Pick<FunctionCall, 'arguments' | 'written'> {
  if (typeof written === 'string') return parsedObject(written);
  return written === undefined || written === null ? { arguments: {} } : objectOf(written);
}

function textOf(content: SaidMessage['content']): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : [])).join('\n');
}

/** Which of these fields a server's refusal is about: those that it names, or all where it names none. */
export function refusedFields(sent: readonly string[], refusal: unknown): readonly string[] {
  const text = typeof refusal === 'string' ? refusal : JSON.stringify(refusal ?? '');
  const named = sent.filter((name) => new RegExp(String.raw`\b${name}\b`).test(text));
  if (named.length > 0) return named;
  const isOfFields =
    /extra (inputs|fields)|additional propert|(unknown|unexpected|unsupported|unrecognized) (field|key|propert|argument|parameter)/i;
  return isOfFields.test(text) ? sent : [];
}

/** Names of the fields that a server added to its calls. */
export function extrasOfCalls({ tool_calls: calls = [] }: Sent): string[] {
  return calls.flatMap((one) => Object.keys(fieldsOf(one)).filter((name) => !knownOfCall.has(name)));
}
