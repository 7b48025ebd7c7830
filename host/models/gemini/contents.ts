import type { Content as Turn, FunctionResponse, GenerateContentResponse, Part } from '@google/genai';
import { base64, type Block, type CallResult, type Content, type Message } from '../model.ts';
import { objectOf } from '../arguments.ts';
import { isComputerFunction } from './computer.ts';

/** An id of ours, for a call that has none. */
const ownId = /^call-\d+$/;

/** A conversation as generateContent takes it. */
export function toContents(messages: readonly Message[]): Turn[] {
  let names = new Map<string, string>();
  return messages.map((message): Turn => {
    switch (message.role) {
      case 'user':
        return { role: 'user', parts: message.content.map(toPart) };
      case 'model':
        names = namesOf(message.blocks);
        return message.verbatim as Turn;
      case 'results':
        return {
          role: 'user',
          parts: [
            ...message.results.map((one) => ({
              functionResponse: toResponse(one, names.get(one.id) ?? ''),
            })),
            ...(message.said ?? []).map(toPart),
          ],
        };
    }
  });
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

/**
 * What a model said.
 * @param computer whether it was offered the computer tool
 */
export function toBlocks({ parts = [] }: Turn, computer: boolean): Block[] {
  return parts.flatMap((part, i): Block[] => {
    if (part.functionCall) return [toCall(part.functionCall, `call-${i}`, computer)];
    if (part.text === undefined) return [];
    return [{ kind: part.thought === true ? 'thinking' : 'text', text: part.text }];
  });
}

function toCall(
  { id, name = '', args = {} }: NonNullable<Part['functionCall']>,
  made: string,
  computer: boolean,
): Block {
  const given = { id: id ?? made };
  if (!computer || !isComputerFunction(name)) return { kind: 'call', ...given, name, ...objectOf(args) };
  const { safety_decision: safety, ...rest } = args;
  const action = { function: name, ...rest };
  return { kind: 'computer', ...given, actions: [action], safetyChecks: toChecks(given.id, safety) };
}

/** Only one that wants to be acknowledged; others let the action pass. */
function toChecks(id: string, safety: unknown) {
  if (typeof safety !== 'object' || safety === null) return [];
  const { decision, explanation } = safety as { readonly decision?: unknown; readonly explanation?: unknown };
  if (decision !== 'require_confirmation') return [];
  return [{ id, message: typeof explanation === 'string' ? explanation : '' }];
}

/** Errors of the model's own are in its answer, beside what it said. */
export type Candidate = NonNullable<GenerateContentResponse['candidates']>[number];
