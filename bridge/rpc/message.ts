import * as z from 'zod';
import { parseJson } from '../text/index.ts';

const messageId = z.union([z.int(), z.string().max(100)]);
const methodName = z.string().min(1).max(200);
const jsonRpcVersion = z.literal('2.0');

/** The four shapes of JSON-RPC 2.0 (https://www.jsonrpc.org/specification); batches are not spoken here. */
const wireMessage = z.union([
  z.strictObject({
    jsonrpc: jsonRpcVersion,
    id: messageId,
    method: methodName,
    params: z.unknown().optional(),
  }),
  z.strictObject({ jsonrpc: jsonRpcVersion, method: methodName, params: z.unknown().optional() }),
  z.strictObject({ jsonrpc: jsonRpcVersion, id: messageId, result: z.unknown() }),
  z.strictObject({
    jsonrpc: jsonRpcVersion,
    id: messageId.nullable(),
    error: z.object({ code: z.int(), message: z.string().max(100_000), data: z.unknown().optional() }),
  }),
]);

export type RpcMessage =
  | {
      readonly kind: 'request';
      readonly id: number | string;
      readonly method: string;
      readonly params: unknown;
    }
  | { readonly kind: 'event'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'result'; readonly id: number | string; readonly result: unknown }
  | {
      readonly kind: 'error';
      readonly id: number | string | null;
      readonly code: number;
      readonly message: string;
      readonly data: unknown;
    };

/** Reads one message. Throws if it is not JSON-RPC 2.0, or would take too much memory. */
export function parseMessage(text: string): RpcMessage {
  checkJsonSize(text);
  const raw = wireMessage.parse(parseJson(text));
  if ('error' in raw) {
    return {
      kind: 'error',
      id: raw.id,
      code: raw.error.code,
      message: raw.error.message,
      data: raw.error.data,
    };
  }
  if ('result' in raw) return { kind: 'result', id: raw.id, result: raw.result };
  if ('id' in raw) return { kind: 'request', id: raw.id, method: raw.method, params: raw.params };
  return { kind: 'event', method: raw.method, params: raw.params };
}

/** The maximum depth of a message, and its maximum numbers of values. */
const maxDepth = 500;
/** Objects, arrays and members of objects, which take the most memory for their length: 2 characters become 50 bytes. */
const maxParts = 400_000;
/** Elements of arrays and members of objects. */
const maxValues = 4_000_000;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Counts the values of a JSON text before it is parsed: a text within the length limit could take thirty times as much
 * memory. Throws if there are too many. Invalid JSON is left to the parser.
 */
export function checkJsonSize(text: string): void {
  let [depth, parts, values] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = findStringEnd(text, at);
        break;
      case comma:
        values += 1;
        break;
      case colon:
        parts += 1;
        break;
      case openArray:
      case openObject:
        parts += 1;
        depth += 1;
        if (depth > maxDepth) throw new Error(`a message nested more than ${maxDepth} deep`);
        break;
      case closeArray:
      case closeObject:
        depth -= 1;
    }
    if (parts > maxParts || values > maxValues)
      throw new Error('a message with more values than may be sent');
  }
}

/** Index of the closing quote; the length of the text if it is missing. */
function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
