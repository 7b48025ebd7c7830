import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { PwpError, parseJson, readBounded, toJson } from '../../bridge/lib/index.ts';
import { send } from './network.ts';
import type { Usage } from './usage.ts';

/** One request and its answer as they went over the wire; pictures are replaced by their hashes, keys by `[key]`. */
export interface Exchange {
  /** Without its query. */
  readonly url: string;
  readonly request: unknown;
  /** Null where no answer came. */
  readonly status: number | null;
  /** JSON, or the text where it is none; null where no answer came. */
  readonly response: unknown;
}

/** One try to get an answer. */
export interface Try {
  /** ISO 8601. */
  readonly at: string;
  readonly ms: number;
  readonly status: number | null;
  /** Why it failed; null for the one that did not. */
  readonly error: string | null;
  /** Milliseconds waited before it: for a free place, or because the server was busy. */
  readonly waitedMs: number;
  /** What the server counted for a try that failed all the same. Default: nothing. */
  readonly usage?: Usage | undefined;
}

/** Longest answer that is read, in bytes. */
const mostBytes = 64 * 1024 * 1024;
/** Shorter texts can't be a picture worth a file. */
const shortest = 64;

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What one try sent and got, seen between a vendor's SDK and the network. */
export class Recorder {
  readonly #secrets: readonly string[];
  readonly #authorization: string | undefined;
  #url = '';
  #request: unknown = null;
  #status: number | null = null;
  #response: unknown = null;
  #headers: Headers | null = null;

  /**
   * @param secrets texts that must not get into a record
   * @param authorization in place of that of the SDK
   */
  constructor(secrets: readonly string[], authorization?: string) {
    this.#secrets = secrets.flatMap(formsOf);
    this.#authorization = authorization;
  }

  get status(): number | null {
    return this.#status;
  }

  /** Of the answer; null where none came. */
  get headers(): Headers | null {
    return this.#headers;
  }

  get exchange(): Exchange {
    return { url: this.#url, request: this.#request, status: this.#status, response: this.#response };
  }

  /** For an SDK, in place of the global one. Reads each answer whole: one that ends too early rejects here. */
  readonly fetch: Fetch = async (input, init) => {
    const request = new Request(input, init && wellFormedBody(init));
    const url = new URL(request.url);
    this.#url = this.#clean(`${url.origin}${url.pathname}`);
    const written = await request.text();
    this.#request = this.#read(written);
    const headers = Object.fromEntries(request.headers);
    if (this.#authorization !== undefined) headers['authorization'] = this.#authorization;
    const { method, signal } = request;
    const response = await send(url, { method, headers, body: written === '' ? null : written, signal });
    this.#status = response.status;
    this.#headers = response.headers;
    if (response.status >= 300 && response.status < 400) throw redirected(response.headers, url);
    const body = await bodyOf(response);
    this.#response = this.#read(new TextDecoder().decode(body));
    return new Response(body, { status: response.status, headers: answerHeaders(response.headers) });
  };

  /** A text from outside, fit for a record or an error. */
  clean(text: string): string {
    return this.#clean(text);
  }

  #read(text: string): unknown {
    const clean = this.#clean(text);
    try {
      return withoutPictures(parseJson(clean));
    } catch {
      return clean.toWellFormed();
    }
  }

  #clean(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
  }
}

/** Many servers refuse a request with half a character in it, whoever wrote it: a tool, a file, or their own model. */
function wellFormedBody(init: RequestInit): RequestInit {
  return typeof init.body === 'string' ? { ...init, body: toJson(parseJson(init.body)) } : init;
}

/** A key as it may stand in an address, in JSON, or as it is. */
function formsOf(secret: string): string[] {
  if (secret === '') return [];
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

/** The body is no longer as it was sent. */
function answerHeaders(given: Headers): [string, string][] {
  return [...given].filter(([name]) => !['content-encoding', 'content-length'].includes(name));
}

function redirected(headers: Headers, from: URL): PwpError {
  const to = headers.get('location') ?? '';
  const where = URL.canParse(to, from.href) ? new URL(to, from) : null;
  return new PwpError(
    'model-redirected',
    `the server sends on to ${where ? `${where.origin}${where.pathname}` : 'nowhere'}, which is not followed`,
    { help: 'Give that address as the base URL, if it is to have the conversation and the key.' },
  );
}

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array();
  const body = await readBounded(Readable.fromWeb(response.body), mostBytes);
  if (!body) throw new PwpError('model-answer', `the answer is longer than ${mostBytes} bytes`);
  return new Uint8Array(body);
}

/** Base64 pictures, wherever a vendor puts them, become `sha256:<hash of the bytes>`. */
function withoutPictures(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return withoutPicture(value, key);
  if (Array.isArray(value)) return value.map((one) => withoutPictures(one));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutPictures(one, name)]));
}

function withoutPicture(text: string, key: string): string {
  const [, head = '', data] = /^(data:image\/[a-z]+;base64,)(.+)$/s.exec(text) ?? [];
  if (data !== undefined) return `${head}${pictureHash(data)}`;
  const isPicture = key === 'data' && text.length > shortest && /^[A-Za-z0-9+/]+=*$/.test(text);
  return isPicture ? pictureHash(text) : text;
}

function pictureHash(base64: string): string {
  return `sha256:${createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex')}`;
}
