import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type * as z from 'zod';
import { parseRequestUrl, PwpError, readBounded } from '../../../../bridge/lib/index.ts';
import { toJson } from '../../../../bridge/text/index.ts';
import { parseInput, readJson } from './episode-input.ts';

/** The longest body of a request, in bytes. */
export const mostBodyBytes = 4 * 1024 * 1024;

/** The parts of a request's path; the first one is empty. */
export function splitPath(request: IncomingMessage): string[] {
  return (parseRequestUrl(request)?.pathname ?? '').split('/');
}

export function sendReply(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(toJson(value));
}

/** The body of a request. An empty one is an empty object. Errors: `usage`, `too-large`. */
export async function readInput<S extends z.ZodType>(
  request: IncomingMessage,
  schema: S,
): Promise<z.output<S>> {
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > mostBodyBytes;
  // It is read to its end first: a client that still sends would not read the answer.
  if (isTooLarge) await finished(request.resume());
  const body = isTooLarge ? undefined : await readBounded(request, mostBodyBytes);
  if (!body) throw new PwpError('too-large', `a request has more than ${mostBodyBytes} bytes`);
  return parseInput(body.length === 0 ? {} : readJson(body), schema);
}
