import type OpenAI from 'openai';
import * as z from 'zod';
import { isJsonObject } from '../../../../bridge/text/index.ts';
import type { AnswerJoiner } from '../answer-reader.ts';
import {
  type AnswerBlock,
  type FunctionCall,
  parseCallArguments,
  toCallArguments,
  toSendableName,
} from '../model.ts';
import { readArrayItems, readObjectFields } from '../token-usage.ts';

type SentMessage = OpenAI.Chat.ChatCompletionAssistantMessageParam;

/** A call of a function. Servers leave out its type and its id, and send its arguments as an object. */
const answeredCall = z.looseObject({
  id: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});
type ChatCall = z.output<typeof answeredCall>;

const answeredMessage = z.looseObject({
  /** Text, or parts, of which only those of text are read. */
  content: z.union([z.string(), z.array(z.looseObject({}))]).nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(answeredCall).nullish(),
});
export type ChatAnswerMessage = z.output<typeof answeredMessage>;

/** An answer of a Chat Completions server, as far as an agent needs it. */
export const chatAnswer = z.looseObject({
  choices: z.array(z.looseObject({ message: answeredMessage, finish_reason: z.string().nullish() })).min(1),
  usage: z.unknown().optional(),
});

/** A model's answer, with the part of it that goes back. */
interface ChatReply {
  readonly blocks: readonly AnswerBlock[];
  readonly sent: SendableReply;
}

/** Null if no part of it can go back: the model thought, and was cut before its first word. */
export type SendableReply = {
  readonly message: SentMessage;
  /** Fields that this server added, e.g. `reasoning_content`: some servers want them back, others refuse them. */
  readonly extras: Readonly<Record<string, unknown>>;
} | null;

/** Fields of the protocol itself; other fields of a message are its server's own. */
const knownFields = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'annotations',
  'audio',
]);
const knownCallFields = new Set(['id', 'type', 'index', 'function']);

/**
 * @param cut the answer was cut at its limit of tokens
 * @param madeId makes an id for the call at a place of the list, for one that has none
 */
export function readChatReply(
  said: ChatAnswerMessage,
  cut: boolean,
  madeId: (place: number) => string,
): ChatReply {
  const calls = dropCutCalls(said.tool_calls ?? [], cut).map((one, i) => ({
    ...one,
    id: one.id || madeId(i),
  }));
  const ids = new Set<string>();
  const distinct = calls.map((one, i) => {
    const id = ids.has(one.id) ? madeId(i) : one.id;
    ids.add(id);
    return { ...one, id };
  });
  const texts = [readMessageText(said.content), said.refusal ?? ''].filter((text) => text !== '');
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
function dropCutCalls(calls: readonly ChatCall[], cut: boolean): readonly ChatCall[] {
  const last = calls.at(-1);
  return cut && last && readCallArguments(last).arguments === null ? calls.slice(0, -1) : calls;
}

function toSent(
  said: ChatAnswerMessage,
  text: string,
  calls: readonly (ChatCall & { id: string })[],
): SendableReply {
  if (text.trim() === '' && calls.length === 0) return null;
  const extras = Object.entries(said).filter(([name, value]) => !knownFields.has(name) && value !== null);
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
  one: ChatCall & { readonly id: string },
): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  const { id, function: called } = one;
  const { arguments: written, name } = called;
  const isReadable = readCallArguments(one).arguments !== null;
  const text =
    typeof written === 'string' && written.trim() !== ''
      ? written
      : JSON.stringify(readCallArguments(one).arguments);
  const extras = Object.entries(one).filter(([key, value]) => !knownCallFields.has(key) && value !== null);
  return {
    ...Object.fromEntries(extras),
    id,
    type: 'function',
    function: { name: toSendableName(name), arguments: isReadable ? text : '{}' },
  };
}

function toBlock(one: ChatCall & { readonly id: string }): FunctionCall {
  return { kind: 'call', id: one.id, name: one.function.name, ...readCallArguments(one) };
}

function readCallArguments({
  function: { arguments: written },
}: ChatCall): Pick<FunctionCall, 'arguments' | 'written'> {
  if (typeof written === 'string') return parseCallArguments(written);
  return written === undefined || written === null ? { arguments: {} } : toCallArguments(written);
}

function readMessageText(content: ChatAnswerMessage['content']): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : [])).join('\n');
}

/** Which of these fields a server's refusal is about: those that it names, or all where it names none. */
export function findRefusedFields(sent: readonly string[], refusal: unknown): readonly string[] {
  const text = typeof refusal === 'string' ? refusal : JSON.stringify(refusal ?? '');
  const named = sent.filter((name) => new RegExp(String.raw`\b${name}\b`).test(text));
  if (named.length > 0) return named;
  const isOfFields =
    /extra (inputs|fields)|additional propert|(unknown|unexpected|unsupported|unrecognized) (field|key|propert|argument|parameter)/i;
  return isOfFields.test(text) ? sent : [];
}

/** Names of the fields that a server added to its calls. */
export function listExtraCallFields({ tool_calls: calls = [] }: SentMessage): string[] {
  return calls.flatMap((one) =>
    Object.keys(readObjectFields(one)).filter((name) => !knownCallFields.has(name)),
  );
}

type PieceFields = Readonly<Record<string, unknown>>;

/** Fields that are whole in each piece that has them. */
const wholeFields = new Set(['role', 'id', 'type', 'name', 'index', 'format']);

/**
 * Joins the pieces of Chat Completions, as OpenAI sends them and as self-hosted servers do: with a whole message in
 * place of a piece, whole calls, calls without a place in the list, and fields that only they know.
 */
export class ChatJoiner implements AnswerJoiner {
  readonly #calls: PieceFields[] = [];
  #rest: PieceFields = {};
  #message: PieceFields = {};
  #finish: unknown = null;
  #isDone = false;

  get state(): AnswerJoiner['state'] {
    if (this.#isDone) return 'done';
    return this.#finish === null ? 'open' : 'whole';
  }

  get answer(): PieceFields {
    const calls = this.#calls.length > 0 && { tool_calls: this.#calls };
    const message = { ...this.#message, ...calls };
    const isEmpty = Object.keys(message).length === 0 && this.#finish === null;
    return { ...this.#rest, choices: isEmpty ? [] : [{ index: 0, message, finish_reason: this.#finish }] };
  }

  add(event: unknown): void {
    if (event === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const { choices, ...rest } = readObjectFields(event);
    this.#rest = growAnswer(this.#rest, rest);
    const choice = readObjectFields(
      readArrayItems(choices).find((one) => (readObjectFields(one)['index'] ?? 0) === 0),
    );
    const { delta, message, finish_reason: finish } = choice;
    const { tool_calls: calls, ...said } = readObjectFields(delta ?? message);
    this.#message = growAnswer(this.#message, said);
    for (const call of readArrayItems(calls)) this.#addCall(readObjectFields(call));
    // Some send an empty one with each piece.
    this.#finish = finish || this.#finish;
  }

  #addCall(piece: PieceFields): void {
    const at = this.#placeOf(piece);
    const before = this.#calls[at];
    if (before) this.#calls[at] = growAnswer(before, piece);
    else this.#calls.push(piece);
  }

  /** The place of the call that a piece belongs to; the next one where it begins a call. */
  #placeOf(piece: PieceFields): number {
    const { id, index } = piece;
    const hasId = typeof id === 'string' && id !== '';
    const at =
      typeof index === 'number'
        ? this.#calls.findLastIndex((one) => one['index'] === index)
        : hasId
          ? this.#calls.findLastIndex((one) => one['id'] === id)
          : this.#calls.length - 1;
    const before = this.#calls[at];
    return before && !isAnotherCall(before, piece) ? at : this.#calls.length;
  }
}

/** Whether a piece begins another call, of a server that gives the same place to several. */
function isAnotherCall(before: PieceFields, piece: PieceFields): boolean {
  const [one, other] = [before['id'], piece['id']];
  if (one && other && one !== other) return true;
  const { name, arguments: given } = readObjectFields(piece['function']);
  const { name: nameBefore, arguments: written } = readObjectFields(before['function']);
  if (name && nameBefore && name !== nameBefore) return true;
  if (!name || !given) return false;
  return typeof written === 'string'
    ? written.trim() !== '' && parseCallArguments(written).arguments !== null
    : written !== undefined && written !== null;
}

/** The answer so far, with the next piece: texts and lists go on, and objects in each of their fields. */
function growAnswer(before: PieceFields, piece: PieceFields): PieceFields {
  const changes = Object.entries(piece).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === undefined) return [];
    if (wholeFields.has(name)) return value === '' ? [] : [[name, value]];
    return [[name, joinValues(before[name], value)]];
  });
  return { ...before, ...Object.fromEntries(changes) };
}

function joinValues(before: unknown, piece: unknown): unknown {
  if (before === undefined || before === null) return piece;
  if (typeof before === 'string' && typeof piece === 'string') return before + piece;
  if (Array.isArray(before) || Array.isArray(piece))
    return joinLists(readPieceParts(before), readPieceParts(piece));
  if (isJsonObject(before) && isJsonObject(piece)) return growAnswer(before, piece);
  return piece;
}

/** A piece about the same thing as the last one continues it: parts of one type, or with one index. */
function joinLists(before: readonly unknown[], pieces: readonly unknown[]): unknown[] {
  return pieces.reduce<unknown[]>(
    (list, piece) => {
      const last = list.at(-1);
      const isSame =
        isJsonObject(last) &&
        isJsonObject(piece) &&
        last['type'] === piece['type'] &&
        last['index'] === piece['index'] &&
        (typeof piece['text'] === 'string' || piece['index'] !== undefined);
      return isSame ? [...list.slice(0, -1), growAnswer(last, piece)] : [...list, piece];
    },
    [...before],
  );
}

function readPieceParts(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  return typeof value === 'string' && value !== '' ? [{ type: 'text', text: value }] : [];
}
