import { PwpError, deadline, messageOf, clip } from '../../../lib/index.ts';
import { dataTools, toolError, type ToolInput, type ToolOutput } from '../../../protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../rpc/index.ts';
import { serverError } from './server-error.ts';

type HttpRequest = typeof dataTools.httpRequest;

const most = { headers: 200, header: 20_000 };

interface Body {
  readonly bytes: Buffer;
  readonly truncated: boolean;
  readonly complete: boolean;
}

/** Adds HTTP requests from inside of the sandbox. */
export function addHttp(handlers: ToolHandlers): ToolHandlers {
  return handlers.add(dataTools.httpRequest, (input, { signal }) => request(input, signal));
}

async function request(
  input: ToolInput<HttpRequest>,
  signal: ToolContext['signal'],
): Promise<ToolOutput<HttpRequest>> {
  const began = performance.now();
  const { url, method, max_bytes: maxBytes, timeout_ms: ms } = input;
  using limit = deadline(`${method} ${url}`, ms, signal);
  const response = await send(input, limit.signal);
  const body = await read(response, maxBytes, limit.signal);
  return {
    status: response.status,
    status_text: clip(response.statusText, 1000),
    url: clip(response.url, 20_000),
    redirected: response.redirected,
    headers: headersOf(response),
    ...textOf(body.bytes, body.truncated || !body.complete),
    bytes: body.bytes.length,
    truncated: body.truncated,
    complete: body.complete,
    duration_ms: performance.now() - began,
  };
}

async function send(input: ToolInput<HttpRequest>, signal: AbortSignal): Promise<Response> {
  const { method, url, body, follow_redirects: follow } = input;
  const headers = madeHeaders(input);
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    throw toolError('bad-arguments', `${method} takes no body`, { help: 'Put it into the address' });
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  if (text !== undefined && typeof body !== 'string' && !headers.has('content-type'))
    headers.set('content-type', 'application/json');
  const redirect = follow ? 'follow' : 'manual';
  try {
    return await fetch(url, { method, headers, redirect, signal, ...(text !== undefined && { body: text }) });
  } catch (error) {
    throw endedBy(signal) ?? serverError(url, error);
  }
}

function madeHeaders({ headers }: ToolInput<HttpRequest>): Headers {
  try {
    return new Headers(headers);
  } catch (cause) {
    throw toolError('bad-arguments', `headers: ${messageOf(cause)}`, { cause });
  }
}

/** Reads at most the bytes that are kept; the connection of an endless answer is closed. */
async function read(response: Response, maxBytes: number, signal: AbortSignal): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      const piece = chunk as Uint8Array;
      chunks.push(piece);
      size += piece.length;
      if (size > maxBytes) break;
    }
  } catch {
    const ended = endedBy(signal);
    if (ended) throw ended;
    return { bytes: Buffer.concat(chunks), truncated: false, complete: false };
  }
  const truncated = size > maxBytes;
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated, complete: true };
}

function endedBy(signal: AbortSignal): Error | undefined {
  if (!signal.aborted) return undefined;
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new PwpError('cancelled', 'the request was cancelled');
}

function headersOf({ headers }: Response): Record<string, string> {
  const all = [...headers].slice(0, most.headers);
  return Object.fromEntries(all.map(([name, value]) => [clip(name, 1000), clip(value, most.header)]));
}

/** @param cut the last character may be incomplete */
function textOf(bytes: Buffer, cut: boolean): { body: string; encoding: 'text' | 'base64' } {
  try {
    return {
      body: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut }),
      encoding: 'text',
    };
  } catch {
    return { body: bytes.toString('base64'), encoding: 'base64' };
  }
}
