import * as z from 'zod';
import { parseJson } from '../lib/index.ts';
import { checkShape } from './shape.ts';

const id = z.union([z.int(), z.string().max(100)]);
const name = z.string().min(1).max(200);
const version = z.literal('2.0');

/** The four shapes of JSON-RPC 2.0 (https://www.jsonrpc.org/specification); batches are not spoken here. */
const wire = z.union([
  z.strictObject({ jsonrpc: version, id, method: name, params: z.unknown().optional() }),
  z.strictObject({ jsonrpc: version, method: name, params: z.unknown().optional() }),
  z.strictObject({ jsonrpc: version, id, result: z.unknown() }),
  z.strictObject({
    jsonrpc: version,
    id: id.nullable(),
    error: z.object({ code: z.int(), message: z.string().max(100_000), data: z.unknown().optional() }),
  }),
]);

export type Message =
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
export function parseMessage(text: string): Message {
  checkShape(text);
  const raw = wire.parse(parseJson(text));
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
