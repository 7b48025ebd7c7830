import type OpenAI from 'openai';
import * as z from 'zod';
import type { AnswerJoiner } from '../answer-reader.ts';
import {
  type AnswerBlock,
  type CallResult,
  type ConversationMessage,
  encodeDataUrl,
  type MessageContent,
  parseCallArguments,
  toSendableName,
} from '../model.ts';
import { dropNulls, readObjectFields } from '../token-usage.ts';

type ResponseInput = OpenAI.Responses.ResponseInputItem;
type InputPart = OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage;

const itemStatus = z.string().nullish();
const messagePart = z.union([
  z.looseObject({ type: z.literal('output_text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
]);
const itemKinds = {
  message: z.looseObject({ type: z.literal('message'), content: z.array(messagePart), status: itemStatus }),
  reasoning: z.looseObject({
    type: z.literal('reasoning'),
    summary: z.array(z.looseObject({ text: z.string() })).nullish(),
  }),
  function_call: z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string().min(1),
    name: z.string(),
    arguments: z.string(),
    status: itemStatus,
  }),
  computer_call: z.looseObject({
    type: z.literal('computer_call'),
    call_id: z.string().min(1),
    action: z.looseObject({}).nullish(),
    actions: z.array(z.looseObject({})).nullish(),
    pending_safety_checks: z
      .array(z.looseObject({ id: z.string(), message: z.string().nullish() }))
      .nullish(),
    status: itemStatus,
  }),
};
const answerItem = z.union([
  ...Object.values(itemKinds),
  // Kinds that mean nothing here go back as they came.
  z.looseObject({ type: z.string() }).refine(({ type }) => !Object.hasOwn(itemKinds, type)),
]);
export type ResponseItem = z.output<typeof answerItem>;

/** An answer of the Responses API, as far as an agent needs it. */
export const openaiAnswer = z.looseObject({
  output: z.array(answerItem),
  status: z.enum(['completed', 'incomplete']),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  usage: z.unknown().optional(),
});
export type OpenaiAnswer = z.output<typeof openaiAnswer>;

/** A conversation as the Responses API takes it. */
export function toResponseInput(messages: readonly ConversationMessage[]): ResponseInput[] {
  let calls: readonly AnswerBlock[] = [];
  return messages.flatMap((message): ResponseInput[] => {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', content: message.content.map(toPart) }];
      case 'model':
        calls = message.blocks;
        return message.verbatim as ResponseInput[];
      case 'results':
        return [
          ...message.results.flatMap((result) => toOutput(result, isComputer(calls, result))),
          ...toUser(message.said),
        ];
    }
  });
}

function toUser(said: readonly MessageContent[] = []): ResponseInput[] {
  return said.length > 0 ? [{ role: 'user', content: said.map(toPart) }] : [];
}

function isComputer(calls: readonly AnswerBlock[], { id }: CallResult): boolean {
  return calls.some((call) => call.kind === 'computer' && call.id === id);
}

/** A computer call is answered by one picture; other content of the result goes after it. */
function toOutput({ id, content, acknowledged = [] }: CallResult, computer: boolean): ResponseInput[] {
  if (!computer) return [{ type: 'function_call_output', call_id: id, output: content.map(toPart) }];
  const picture = content.findLast(({ kind }) => kind === 'image');
  const said = content.filter((one) => one !== picture);
  return [
    {
      type: 'computer_call_output',
      call_id: id,
      output: {
        type: 'computer_screenshot',
        ...(picture?.kind === 'image' && { image_url: encodeDataUrl(picture) }),
      },
      ...(acknowledged.length > 0 && { acknowledged_safety_checks: acknowledged.map((one) => ({ ...one })) }),
    },
    ...(said.length > 0 ? [{ role: 'user' as const, content: said.map(toPart) }] : []),
  ];
}

function toPart(content: MessageContent): InputPart {
  if (content.kind === 'text') return { type: 'input_text', text: content.text };
  return { type: 'input_image', image_url: encodeDataUrl(content), detail: 'auto' };
}

/** All but calls that were cut at the token limit: half of their arguments would be executed, or sent back. */
export function dropCutItems({ output, status: how }: OpenaiAnswer): ResponseItem[] {
  if (how !== 'incomplete') return output;
  return output.filter(
    (said, i) =>
      !isCall(said) || !(said['status'] === 'incomplete' || (i === output.length - 1 && !isReadable(said))),
  );
}

function isReadable(said: ResponseItem): boolean {
  return isItemKind('function_call', said) ? parseCallArguments(said.arguments).arguments !== null : true;
}

/**
 * The part of an answer that the API takes back: no message without words, and no reasoning without the item that it
 * led to ("… was provided without its required following item").
 */
export function keepSendableItems(output: readonly ResponseItem[]): ResponseItem[] {
  const said = output.filter((one) => !isItemKind('message', one) || hasWords(one)).map(toSendableItem);
  const led = said.map((one) => one.type !== 'reasoning');
  return said.filter((one, i) => one.type !== 'reasoning' || led.slice(i + 1).some(Boolean));
}

function toSendableItem(said: ResponseItem): ResponseItem {
  const known = dropNulls(said);
  return isItemKind('function_call', known) ? { ...known, name: toSendableName(known.name) } : known;
}

function hasWords({ content }: z.output<typeof itemKinds.message>): boolean {
  return content.some((one) => readPartText(one).trim() !== '');
}

function readPartText(said: z.output<typeof messagePart>): string {
  return said.type === 'output_text' ? said.text : said.refusal;
}

/** A model's answer. Items of kinds that mean nothing here are left out. */
export function readResponseBlocks(output: readonly ResponseItem[]): AnswerBlock[] {
  return output.flatMap((said): AnswerBlock[] => {
    if (isItemKind('message', said))
      return said.content.map((one) => ({ kind: 'text', text: readPartText(one) }));
    if (isItemKind('reasoning', said))
      return [{ kind: 'thinking', text: (said.summary ?? []).map(({ text }) => text).join('\n') }];
    if (isItemKind('function_call', said))
      return [{ kind: 'call', id: said.call_id, name: said.name, ...parseCallArguments(said.arguments) }];
    return isItemKind('computer_call', said) ? [toComputer(said)] : [];
  });
}

/** Whether it refuses in its own words. */
export function isRefusedInWords(output: readonly ResponseItem[]): boolean {
  return output.some(
    (said) => isItemKind('message', said) && said.content.some(({ type }) => type === 'refusal'),
  );
}

type ItemKinds = { readonly [K in keyof typeof itemKinds]: z.output<(typeof itemKinds)[K]> };

function isItemKind<K extends keyof ItemKinds>(kind: K, said: ResponseItem): said is ItemKinds[K] {
  return said.type === kind;
}

function isCall({ type }: ResponseItem): boolean {
  return type === 'function_call' || type === 'computer_call';
}

/** The newer form has a list of actions, the older one a single one. */
function toComputer({
  call_id: id,
  action,
  actions,
  pending_safety_checks: checks,
}: ItemKinds['computer_call']): AnswerBlock {
  return {
    kind: 'computer',
    id,
    actions: (actions ?? (action ? [action] : [])).map((one) => ({ ...one })),
    safetyChecks: (checks ?? []).map(({ id: check, message }) => ({ id: check, message: message ?? '' })),
  };
}

const lastEvents = ['response.completed', 'response.incomplete', 'response.failed'];

/** Joins the events of the Responses API: the last one has the whole response, or at least all but its items. */
export class ResponsesJoiner implements AnswerJoiner {
  readonly #items = new Map<number, unknown>();
  #response: Readonly<Record<string, unknown>> = {};
  state: AnswerJoiner['state'] = 'open';

  get answer(): Readonly<Record<string, unknown>> {
    const { output } = this.#response;
    if (Array.isArray(output) && output.length > 0) return this.#response;
    const items = [...this.#items].sort(([one], [other]) => one - other).map(([, item]) => item);
    return { ...this.#response, output: items };
  }

  add(event: unknown): void {
    const { type, response, item, output_index: index } = readObjectFields(event);
    this.#response = { ...this.#response, ...readObjectFields(response) };
    if (type === 'response.output_item.done' && typeof index === 'number') this.#items.set(index, item);
    if (lastEvents.some((one) => one === type)) this.state = 'done';
  }
}
