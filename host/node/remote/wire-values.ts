import * as z from 'zod';
import { isErrorCode, PwpError } from '../../../bridge/lib/index.ts';
import {
  type BytePart,
  type Call,
  type CallGroup,
  ErrorCode,
  nodeErrorData,
  RpcError,
} from '../../../bridge/protocol/index.ts';
import type { SentBytes } from './byte-transfers.ts';

/** UTF-16 code units of a text that is sent in JSON. In a stream it takes as many bytes as it has, and any number. */
const maxTextInJson = 16 * 1024;

/** An entry of a group is a method, or the methods of a property. */
export function isCall(entry: Call | CallGroup | undefined): entry is Call {
  return typeof entry?.kind === 'string';
}

/** The first problems of a value are enough. */
const maxIssues = 10;

/**
 * The value, if it fits its schema. Errors: `code`, `InvalidParams` by default.
 * @param problem says for the caller what is wrong
 */
export function requireFitting<T>(
  checked: z.ZodSafeParseResult<T>,
  problem: string,
  code: number = ErrorCode.InvalidParams,
): T {
  if (checked.success) return checked.data;
  const issues = checked.error.issues.slice(0, maxIssues);
  throw new RpcError(code, `${problem}: ${z.prettifyError({ issues })}`);
}

interface TakenBytes {
  /** The value with null in their places. */
  readonly plain: unknown;
  readonly parts: BytePart[];
  /** In the order of the parts. */
  readonly contents: SentBytes[];
}

/** Takes bytes and long texts out of a value that is sent. */
export function takeBytes(value: unknown): TakenBytes {
  const parts: BytePart[] = [];
  const contents: SentBytes[] = [];
  const take = (content: SentBytes, part: BytePart) => {
    parts.push(part);
    contents.push(content);
    return null;
  };
  const walk = (one: unknown, at: BytePart['at']): unknown => {
    if (one instanceof Uint8Array) return take(one, { at, bytes: one.byteLength });
    if (typeof one === 'string' && one.length > maxTextInJson) {
      const content = Buffer.from(one);
      return take(content, { at, bytes: content.length, text: true });
    }
    if (typeof one !== 'object' || one === null) return one;
    if (Symbol.asyncIterator in one) return take(one as AsyncIterable<Uint8Array>, { at, bytes: null });
    if (Array.isArray(one)) return one.map((each, index) => walk(each, [...at, index]));
    return Object.fromEntries(Object.entries(one).map(([key, each]) => [key, walk(each, [...at, key])]));
  };
  return { plain: walk(value, []), parts, contents };
}

/** Puts received bytes back into their places. Errors: `incomplete-transfer` for a place that does not exist. */
export function putBytes(
  value: unknown,
  parts: readonly BytePart[],
  contents: readonly SentBytes[],
): unknown {
  const whole: Record<string, unknown> = { value };
  parts.forEach(({ at, text = false }, index) => {
    const keys = ['value', ...at];
    const last = keys.pop() ?? '';
    const owner = keys.reduce<unknown>(readOwn, whole);
    if (readOwn(owner, last) !== null)
      throw new PwpError(
        'incomplete-transfer',
        `bytes came for ${at.join('.')}, which has no place for them`,
      );
    const content = contents[index] ?? Buffer.alloc(0);
    const put = text && content instanceof Uint8Array ? Buffer.from(content).toString('utf8') : content;
    Object.assign(owner as object, { [last]: put });
  });
  return whole['value'];
}

function readOwn(owner: unknown, key: string | number): unknown {
  const isOwn = typeof owner === 'object' && owner !== null && Object.hasOwn(owner, key);
  return isOwn ? (owner as Record<string | number, unknown>)[key] : undefined;
}

/** A node's error as it goes over the wire. Errors of a bridge are passed on unchanged. */
export function toWireError(error: unknown): unknown {
  if (!(error instanceof PwpError)) return error;
  const data = { code: error.code, ...(error.help !== undefined && { help: error.help }) };
  return new RpcError(ErrorCode.InternalError, describeWithCause(error), { data });
}

/** The node's error as it was thrown there; the signal's reason where the caller gave up. */
export function fromWireError(error: unknown, signal?: AbortSignal): unknown {
  if (!(error instanceof RpcError)) return error;
  const { code, help } = nodeErrorData.safeParse(error.data).data ?? {};
  if (isErrorCode(code))
    return new PwpError(code, error.message, { cause: error, ...(help !== undefined && { help }) });
  if (error.code === ErrorCode.Cancelled && signal?.aborted) return signal.reason;
  if (error.code !== ErrorCode.Closed) return error;
  return new PwpError('node-lost', 'the node that the sandbox is on has ended', { cause: error });
}

/** The causes are part of the message: they don't cross the wire. */
function describeWithCause(error: PwpError): string {
  const { cause } = error;
  if (!(cause instanceof Error) || error.message.includes(cause.message)) return error.message;
  return `${error.message}: ${cause.message}`;
}
