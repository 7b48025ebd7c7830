import * as z from 'zod';
import { describeError, PwpError } from '../../../../bridge/lib/index.ts';
import { clip, parseJson } from '../../../../bridge/text/index.ts';
import type { errorReply } from './episode-calls.ts';

/** A request as its schema has it. Errors: `usage`. */
export function parseInput<S extends z.ZodType>(value: unknown, schema: S): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PwpError('usage', `the request is not valid: ${clip(z.prettifyError(parsed.error), 2000)}`, {
    help: 'GET /openapi.json describes each request.',
  });
}

/** Errors: `usage`. */
export function readJson(body: Uint8Array | ArrayBuffer): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new PwpError('usage', `the request is not JSON: ${describeError(cause)}`, { cause });
  }
}

/** An error as clients get it. */
export function writeError(error: unknown): z.output<typeof errorReply> {
  if (!(error instanceof PwpError)) return { error: { code: 'internal', message: describeError(error) } };
  const { code, message, help } = error;
  return { error: { code, message, ...(help !== undefined && { help }) } };
}
