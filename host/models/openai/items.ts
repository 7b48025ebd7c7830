import type OpenAI from 'openai';
import * as z from 'zod';
import { parsedObject } from '../arguments.ts';
import { dataUrl, type Block, type CallResult, type Content, type Message } from '../model.ts';
import { sentName } from '../names.ts';

type Input = OpenAI.Responses.ResponseInputItem;
type Part = OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage;

const status = z.string().nullish();
const part = z.union([
  z.looseObject({ type: z.literal('output_text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
]);
const items = {
  message: z.looseObject({ type: z.literal('message'), content: z.array(part), status }),
  reasoning: z.looseObject({
    type: z.literal('reasoning'),
    summary: z.array(z.looseObject({ text: z.string() })).nullish(),
  }),
  function_call: z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string().min(1),
    name: z.string(),
    arguments: z.string(),
    status,
  }),
  computer_call: z.looseObject({
    type: z.literal('computer_call'),
    call_id: z.string().min(1),
    action: z.looseObject({}).nullish(),
    actions: z.array(z.looseObject({})).nullish(),
    pending_safety_checks: z
      .array(z.looseObject({ id: z.string(), message: z.string().nullish() }))
      .nullish(),
    status,
  }),
};
const item = z.union([
  ...Object.values(items),
  // Kinds that mean nothing here go back as they came.
  z.looseObject({ type: z.string() }).refine(({ type }) => !Object.hasOwn(items, type)),
]);
export type SaidItem = z.output<typeof item>;

/** An answer of the Responses API, as far as an agent needs it. */
export const openaiAnswer = z.looseObject({
  output: z.array(item),
  status: z.enum(['completed', 'incomplete']),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  usage: z.unknown().optional(),
});
export type OpenaiAnswer = z.output<typeof openaiAnswer>;

/** A conversation as the Responses API takes it. */
export function toInput(messages: readonly Message[]): Input[] {
  let calls: readonly Block[] = [];
  return messages.flatMap((message): Input[] => {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', content: message.content.map(toPart) }];
      case 'model':
        calls = message.blocks;
        return message.verbatim as Input[];
      case 'results':
        return [
          ...message.results.flatMap((result) => toOutput(result, isComputer(calls, result))),
          ...toUser(message.said),
        ];
    }
  });
}

function toUser(said: readonly Content[] = []): Input[] {
  return said.length > 0 ? [{ role: 'user', content: said.map(toPart) }] : [];
}

function isComputer(calls: readonly Block[], { id }: CallResult): boolean {
  return calls.some((call) => call.kind === 'computer' && call.id === id);
}

/** A computer call is answered by one picture; other content of the result goes after it. */
function toOutput({ id, content, acknowledged = [] }: CallResult, computer: boolean): Input[] {
  if (!computer) return [{ type: 'function_call_output', call_id: id, output: content.map(toPart) }];
  const picture = content.findLast(({ kind }) => kind === 'image');
  const said = content.filter((one) => one !== picture);
  return [
    {
      type: 'computer_call_output',
      call_id: id,
      output: {
        type: 'computer_screenshot',
        ...(picture?.kind === 'image' && { image_url: dataUrl(picture) }),
      },
      ...(acknowledged.length > 0 && { acknowledged_safety_checks: acknowledged.map((one) => ({ ...one })) }),
    },
    ...(said.length > 0 ? [{ role: 'user' as const, content: said.map(toPart) }] : []),
  ];
}

function toPart(content: Content): Part {
  if (content.kind === 'text') return { type: 'input_text', text: content.text };
  return { type: 'input_image', image_url: dataUrl(content), detail: 'auto' };
}

/** All but calls that were cut at the token limit: half of their arguments would be executed, or sent back. */
export function withoutCut({ output, status: how }: OpenaiAnswer): SaidItem[] {
  if (how !== 'incomplete') return output;
  return output.filter(
    (said, i) =>
      !isCall(said) || !(said['status'] === 'incomplete' || (i === output.length - 1 && !isReadable(said))),
  );
}

function isReadable(said: SaidItem): boolean {
  return isKind('function_call', said) ? parsedObject(said.arguments).arguments !== null : true;
}

/**
 * The part of an answer that the API takes back: no message without words, and no reasoning without the item that it
 * led to ("… was provided without its required following item").
 */
export function sentBack(output: readonly SaidItem[]): SaidItem[] {
  const said = output.filter((one) => !isKind('message', one) || hasWords(one)).map(sendable);
  const led = said.map((one) => one.type !== 'reasoning');
  return said.filter((one, i) => one.type !== 'reasoning' || led.slice(i + 1).some(Boolean));
}

function sendable(said: SaidItem): SaidItem {
  const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null)) as SaidItem;
  return isKind('function_call', known) ? { ...known, name: sentName(known.name) } : known;
}

function hasWords({ content }: z.output<typeof items.message>): boolean {
  return content.some((one) => wordsOf(one).trim() !== '');
}

function wordsOf(said: z.output<typeof part>): string {
  return said.type === 'output_text' ? said.text : said.refusal;
}

/** A model's answer. Items of kinds that mean nothing here are left out. */
export function toBlocks(output: readonly SaidItem[]): Block[] {
  return output.flatMap((said): Block[] => {
    if (isKind('message', said)) return said.content.map((one) => ({ kind: 'text', text: wordsOf(one) }));
    if (isKind('reasoning', said))
      return [{ kind: 'thinking', text: (said.summary ?? []).map(({ text }) => text).join('\n') }];
    if (isKind('function_call', said))
      return [{ kind: 'call', id: said.call_id, name: said.name, ...parsedObject(said.arguments) }];
    return isKind('computer_call', said) ? [toComputer(said)] : [];
  });
}

/** Whether it refuses in its own words. */
export function refuses(output: readonly SaidItem[]): boolean {
  return output.some(
    (said) => isKind('message', said) && said.content.some(({ type }) => type === 'refusal'),
  );
}

type Kinds = { readonly [K in keyof typeof items]: z.output<(typeof items)[K]> };

function isKind<K extends keyof Kinds>(kind: K, said: SaidItem): said is Kinds[K] {
  return said.type === kind;
}

function isCall({ type }: SaidItem): boolean {
  return type === 'function_call' || type === 'computer_call';
}

/** The newer form has a list of actions, the older one a single one. */
function toComputer({
  call_id: id,
  action,
  actions,
  pending_safety_checks: checks,
}: Kinds['computer_call']): Block {
  return {
    kind: 'computer',
    id,
    actions: (actions ?? (action ? [action] : [])).map((one) => ({ ...one })),
    safetyChecks: (checks ?? []).map(({ id: check, message }) => ({ id: check, message: message ?? '' })),
  };
}
