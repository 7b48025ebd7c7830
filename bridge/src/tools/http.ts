import { collectCauses, deadline, describeError, PwpError } from '../../lib/index.ts';
import { dataTools, toolError, type ToolInput, type ToolOutput } from '../../protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../rpc/index.ts';
import { clip } from '../../text/index.ts';

type HttpRequest = typeof dataTools.httpRequest;

const maxHeaders = { headers: 200, header: 20_000 };

interface ResponseBody {
  readonly bytes: Buffer;
  readonly truncated: boolean;
  readonly complete: boolean;
}

/** Adds HTTP requests from inside of the sandbox. */
export function addHttpTools(handlers: ToolHandlers): ToolHandlers {
  return handlers.add(dataTools.httpRequest, (input, { signal }) => requestUrl(input, signal));
}

async function requestUrl(
  input: ToolInput<HttpRequest>,
  signal: ToolContext['signal'],
): Promise<ToolOutput<HttpRequest>> {
  const began = performance.now();
  const { url, method, max_bytes: maxBytes, timeout_ms: ms } = input;
  using limit = deadline(`${method} ${url}`, ms, signal);
  const response = await sendRequest(input, limit.signal);
  const body = await readBody(response, maxBytes, limit.signal);
  return {
    status: response.status,
    status_text: clip(response.statusText, 1000),
    url: clip(response.url, 20_000),
    redirected: response.redirected,
    headers: readHeaders(response),
    ...encodeBody(body.bytes, body.truncated || !body.complete),
    bytes: body.bytes.length,
    truncated: body.truncated,
    complete: body.complete,
    duration_ms: performance.now() - began,
  };
}

async function sendRequest(input: ToolInput<HttpRequest>, signal: AbortSignal): Promise<Response> {
  const { method, url, body, follow_redirects: follow } = input;
  const headers = createHeaders(input);
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    throw toolError('bad-arguments', `${method} takes no body`, { help: 'Put it into the address' });
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  if (text !== undefined && typeof body !== 'string' && !headers.has('content-type'))
    headers.set('content-type', 'application/json');
  const redirect = follow ? 'follow' : 'manual';
  try {
    return await fetch(url, { method, headers, redirect, signal, ...(text !== undefined && { body: text }) });
  } catch (error) {
    throw readEndReason(signal) ?? createServerError(url, error);
  }
}

function createHeaders({ headers }: ToolInput<HttpRequest>): Headers {
  try {
    return new Headers(headers);
  } catch (cause) {
    throw toolError('bad-arguments', `headers: ${describeError(cause)}`, { cause });
  }
}

/** Reads at most the bytes that are kept; the connection of an endless answer is closed. */
async function readBody(response: Response, maxBytes: number, signal: AbortSignal): Promise<ResponseBody> {
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
    const ended = readEndReason(signal);
    if (ended) throw ended;
    return { bytes: Buffer.concat(chunks), truncated: false, complete: false };
  }
  const truncated = size > maxBytes;
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated, complete: true };
}

function readEndReason(signal: AbortSignal): Error | undefined {
  if (!signal.aborted) return undefined;
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new PwpError('cancelled', 'the request was cancelled');
}

function readHeaders({ headers }: Response): Record<string, string> {
  const all = [...headers].slice(0, maxHeaders.headers);
  return Object.fromEntries(all.map(([name, value]) => [clip(name, 1000), clip(value, maxHeaders.header)]));
}

/** @param cut the last character may be incomplete */
function encodeBody(bytes: Buffer, cut: boolean): { body: string; encoding: 'text' | 'base64' } {
  try {
    return {
      body: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut }),
      encoding: 'text',
    };
  } catch {
    return { body: bytes.toString('base64'), encoding: 'base64' };
  }
}

/** The system's error codes for a server that can't be reached. */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOENT',
  'EADDRNOTAVAIL',
]);

/** The tool error of a failed connection: `no-server` or `failed`. */
export function createServerError(url: string, error: unknown): Error {
  const causes = [error, ...collectCauses(error)];
  const code = causes.map((one) => (one as NodeJS.ErrnoException).code).find((one) => one !== undefined);
  const message = `${clip(url, 500)}: ${clip(causes.map(describeError).filter(Boolean).join(': '), 1000)}`;
  if (code !== undefined && unreachableCodes.has(code))
    return toolError('no-server', message, {
      cause: error,
      help: 'Start the server in this sandbox first, and wait until it listens; there is no other network unless the task has one',
    });
  return toolError('failed', message, { cause: error });
}
