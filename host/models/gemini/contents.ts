import type { Content as Turn, FunctionResponse, Part } from '@google/genai';
import * as z from 'zod';
import { base64, type Block, type CallResult, type Content, type Message } from '../model.ts';
import { objectOf } from '../arguments.ts';
import { isComputerFunction } from './computer.ts';

/** An id of ours, for a call that has none. */
const ownId = /^call-\d+$/;

const part = z.looseObject({
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
const candidate = z.looseObject({
  content: z.looseObject({ parts: z.array(part).nullish() }).nullish(),
  finishReason: z.string().nullish(),
});

/** An answer of generateContent, as far as an agent needs it. */
export const geminiAnswer = z.looseObject({
  candidates: z.array(candidate).nullish(),
  promptFeedback: z.looseObject({ blockReason: z.string().nullish() }).nullish(),
  usageMetadata: z.unknown().optional(),
});
/** Errors of the model's own are in its answer, beside what it said. */
export type Candidate = z.output<typeof candidate>;
export type SaidPart = z.output<typeof part>;

/** A conversation as generateContent takes it: turns alternate, and none is without parts. */
export function toContents(messages: readonly Message[]): Turn[] {
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
      names = namesOf(message.blocks);
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

function namesOf(blocks: readonly Block[]): Map<string, string> {
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
    one.kind === 'image' ? [{ inlineData: { mimeType: one.mime, data: base64(one.bytes) } }] : [],
  );
  return {
    ...(!ownId.test(id) && { id }),
    name,
    response: {
      [failed ? 'error' : 'output']: text,
      ...(acknowledged.length > 0 && { safety_acknowledgement: 'true' }),
    },
    ...(parts.length > 0 && { parts }),
  };
}

function toPart(content: Content): Part {
  if (content.kind === 'text') return { text: content.text };
  return { inlineData: { mimeType: content.mime, data: base64(content.bytes) } };
}

/** The part of an answer that the API takes back: all of it, or nothing if it was cut while it had only thoughts. */
export function sentBack(parts: readonly SaidPart[]): readonly SaidPart[] {
  const known = parts.filter((one) => Object.values(one).some((value) => value !== null));
  const says = ({ thought, text, ...rest }: SaidPart) =>
    thought !== true &&
    ((text ?? '').trim() !== '' || Object.keys(rest).some((name) => name !== 'thoughtSignature'));
  return known.some(says) ? known : [];
}

/**
 * A model's answer.
 * @param computer whether it was offered the computer tool
 */
export function toBlocks(parts: readonly SaidPart[], computer: boolean): Block[] {
  return parts.flatMap(({ functionCall, text, thought }, i): Block[] => {
    if (functionCall) return [toCall(functionCall, `call-${i}`, computer)];
    // The signature of a streamed answer may come with a text of its own that is empty.
    if (typeof text !== 'string' || text === '') return [];
    return [{ kind: thought === true ? 'thinking' : 'text', text }];
  });
}

function toCall(
  { id, name, args }: NonNullable<SaidPart['functionCall']>,
  made: string,
  computer: boolean,
): Block {
  const given = { id: id ?? made };
  const all = args ?? {};
  if (!computer || !isComputerFunction(name)) return { kind: 'call', ...given, name, ...objectOf(all) };
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
