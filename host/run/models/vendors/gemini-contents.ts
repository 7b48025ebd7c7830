import type { FunctionResponse, Part, Content as Turn } from '@google/genai';
import * as z from 'zod';
import type { AnswerJoiner } from '../answer-reader.ts';
import {
  type AnswerBlock,
  type CallResult,
  type ConversationMessage,
  encodeBase64,
  type MessageContent,
  toCallArguments,
} from '../model.ts';
import { readArrayItems, readObjectFields } from '../token-usage.ts';

/** An id of ours, for a call that has none. */
const ownCallId = /^call-\d+$/;

const contentPart = z.looseObject({
  text: z.string().nullish(),
  thought: z.boolean().nullish(),
  functionCall: z
    .looseObject({
      id: z.string().nullish(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
});
const contentCandidate = z.looseObject({
  content: z.looseObject({ parts: z.array(contentPart).nullish() }).nullish(),
  finishReason: z.string().nullish(),
});

/** An answer of generateContent, as far as an agent needs it. */
export const geminiAnswer = z.looseObject({
  candidates: z.array(contentCandidate).nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: z.unknown().optional(),
});
/** Errors of the model's own are in its answer, beside what it said. */
export type GeminiCandidate = z.output<typeof contentCandidate>;
type GeminiPart = z.output<typeof contentPart>;

/** A conversation as generateContent takes it: turns alternate, and none is without parts. */
export function toContents(messages: readonly ConversationMessage[]): Turn[] {
  let names = new Map<string, string>();
  const turns: { readonly role: string; readonly parts: Part[] }[] = [];
  const add = (role: string, parts: readonly Part[]) => {
    const last = turns.at(-1);
    if (parts.length === 0) return;
    if (last?.role === role) last.parts.push(...parts);
    else turns.push({ role, parts: [...parts] });
  };
  for (const message of messages) {
    if (message.role === 'user') add('user', message.content.map(toPart));
    else if (message.role === 'model') {
      names = mapCallNames(message.blocks);
      add('model', message.verbatim as Part[]);
    } else {
      const responses = message.results.map((one) => ({
        functionResponse: toResponse(one, names.get(one.id) ?? ''),
      }));
      add('user', [...responses, ...(message.said ?? []).map(toPart)]);
    }
  }
  return turns;
}

function mapCallNames(blocks: readonly AnswerBlock[]): Map<string, string> {
  return new Map(
    blocks.flatMap((block): [string, string][] => {
      if (block.kind === 'call') return [[block.id, block.name]];
      return block.kind === 'computer' ? [[block.id, String(block.actions[0]?.['function'])]] : [];
    }),
  );
}

function toResponse({ id, failed, content, acknowledged = [] }: CallResult, name: string): FunctionResponse {
  const text = content.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('\n');
  const parts = content.flatMap((one) =>
    one.kind === 'image' ? [{ inlineData: { mimeType: one.mime, data: encodeBase64(one.bytes) } }] : [],
  );
  return {
    ...(!ownCallId.test(id) && { id }),
    name,
    response: {
      [failed ? 'error' : 'output']: text,
      ...(acknowledged.length > 0 && { safety_acknowledgement: 'true' }),
    },
    ...(parts.length > 0 && { parts }),
  };
}

function toPart(content: MessageContent): Part {
  if (content.kind === 'text') return { text: content.text };
  return { inlineData: { mimeType: content.mime, data: encodeBase64(content.bytes) } };
}

/** The part of an answer that the API takes back: all of it, or nothing if it was cut while it had only thoughts. */
export function keepSendableParts(parts: readonly GeminiPart[]): readonly GeminiPart[] {
  const known = parts.filter((one) => Object.values(one).some((value) => value !== null));
  const says = ({ thought, text, ...rest }: GeminiPart) =>
    thought !== true &&
    ((text ?? '').trim() !== '' || Object.keys(rest).some((name) => name !== 'thoughtSignature'));
  return known.some(says) ? known : [];
}

/**
 * A model's answer.
 * @param computer whether it was offered the computer tool
 */
export function readGeminiBlocks(parts: readonly GeminiPart[], computer: boolean): AnswerBlock[] {
  return parts.flatMap(({ functionCall, text, thought }, i): AnswerBlock[] => {
    if (functionCall) return [toCall(functionCall, `call-${i}`, computer)];
    // The signature of a streamed answer may come with a text of its own that is empty.
    if (typeof text !== 'string' || text === '') return [];
    return [{ kind: thought === true ? 'thinking' : 'text', text }];
  });
}

function toCall(
  { id, name, args }: NonNullable<GeminiPart['functionCall']>,
  made: string,
  computer: boolean,
): AnswerBlock {
  const given = { id: id ?? made };
  const all = args ?? {};
  if (!computer || !isComputerFunction(name))
    return { kind: 'call', ...given, name, ...toCallArguments(all) };
  const { safety_decision: safety, ...rest } = all;
  const action = { function: name, ...rest };
  return { kind: 'computer', ...given, actions: [action], safetyChecks: toChecks(given.id, safety) };
}

/** Only a decision that wants to be acknowledged; others let the action pass. */
function toChecks(id: string, safety: unknown) {
  if (typeof safety !== 'object' || safety === null) return [];
  const { decision, explanation } = safety as { readonly decision?: unknown; readonly explanation?: unknown };
  if (decision !== 'require_confirmation') return [];
  return [{ id, message: typeof explanation === 'string' ? explanation : '' }];
}

/** Functions that models with a computer tool call, by the names of the newest form and of the one before it. */
const computerFunctions = new Set([
  ...[
    'click',
    'double_click',
    'triple_click',
    'middle_click',
    'right_click',
    'mouse_down',
    'mouse_up',
    'move',
  ],
  ...[
    'type',
    'drag_and_drop',
    'wait',
    'press_key',
    'key_down',
    'key_up',
    'hotkey',
    'take_screenshot',
    'scroll',
  ],
  ...['navigate', 'go_back', 'go_forward'],
  ...[
    'click_at',
    'hover_at',
    'type_text_at',
    'key_combination',
    'scroll_document',
    'scroll_at',
    'wait_5_seconds',
  ],
  ...['open_web_browser', 'search'],
]);

function isComputerFunction(name: string): boolean {
  return computerFunctions.has(name);
}

/** Whether a model has the computer tool, by its name. */
export function hasGeminiComputerTool(model: string): boolean {
  return /^gemini-(2\.5-computer-use|[3-9])/.test(model);
}

type ContentFields = Readonly<Record<string, unknown>>;

/** Joins the answers of streamGenerateContent, each of which has some parts of the whole. */
export class ContentsJoiner implements AnswerJoiner {
  readonly #parts: ContentFields[] = [];
  #rest: ContentFields = {};
  #candidate: ContentFields | undefined;

  get state(): AnswerJoiner['state'] {
    const blocked = readObjectFields(this.#rest['promptFeedback'])['blockReason'];
    return this.#candidate?.['finishReason'] || blocked ? 'whole' : 'open';
  }

  get answer(): ContentFields {
    if (!this.#candidate) return this.#rest;
    const content = { ...readObjectFields(this.#candidate['content']), parts: this.#parts };
    return { ...this.#rest, candidates: [{ ...this.#candidate, content }] };
  }

  add(event: unknown): void {
    const { candidates, usageMetadata, ...rest } = readObjectFields(event);
    const usage = { ...readObjectFields(this.#rest['usageMetadata']), ...readObjectFields(usageMetadata) };
    this.#rest = { ...this.#rest, ...rest, ...(usageMetadata !== undefined && { usageMetadata: usage }) };
    if (!Array.isArray(candidates) || candidates.length === 0) return;
    const candidate = readObjectFields((candidates as readonly unknown[])[0]);
    const { content = this.#candidate?.['content'] } = candidate;
    this.#candidate = { ...this.#candidate, ...candidate, content };
    for (const part of readArrayItems(readObjectFields(candidate['content'])['parts']))
      this.#add(readObjectFields(part));
  }

  /** A text goes on in the next part, unless one of them is signed: a signature holds for the part that it came with. */
  #add(part: ContentFields): void {
    const before = this.#parts.at(-1);
    // The last answer often has no words, and no vendor takes back an empty text.
    if (isPlainText(part) && part['text'] === '') return;
    if (before && isPlainText(before) && isPlainText(part) && before['thought'] === part['thought'])
      this.#parts.splice(-1, 1, { ...before, text: `${String(before['text'])}${String(part['text'])}` });
    else this.#parts.push(part);
  }
}

/** A text and nothing else. */
function isPlainText(part: ContentFields): boolean {
  return (
    typeof part['text'] === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought')
  );
}
