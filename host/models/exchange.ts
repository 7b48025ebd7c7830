import { createHash } from 'node:crypto';
import { PwpError, parseJson, toJson } from '../../bridge/lib/index.ts';
import { AnswerReader, inTime, type Joiner } from './answer-stream.ts';
import { send, type SentRequest } from './network.ts';
import type { Usage } from './usage.ts';

/** One request and its answer as they went over the wire; pictures are replaced by their hashes, keys by `[key]`. */
export interface Exchange {
  /** Without its query. */
  readonly url: string;
  readonly request: unknown;
  /** Null where no answer came. */
  readonly status: number | null;
  /** JSON, else the text; null where no answer came. A streamed answer is joined into the form of a whole one. */
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
  /** Tokens that the server counted for a try that failed anyway. Default: nothing. */
  readonly usage?: Usage | undefined;
}

/** Shorter texts can't be a picture worth a file. */
const shortest = 64;

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface RecorderOptions {
  /** Texts that must not get into a record. */
  readonly secrets: readonly string[];
  /** In place of that of the SDK. */
  readonly authorization?: string | undefined;
  /** Longest silence of the server, in milliseconds: before its answer begins, and within it. */
  readonly idleMs: number;
  /** Joins an answer that is streamed. */
  readonly join?: (() => Joiner) | undefined;
}

/** The part of a recorder that an SDK makes its requests through. */
export type Through = Pick<Recorder, 'fetch' | 'answer'>;

/** The request and answer of one try, seen between a vendor's SDK and the network. */
export class Recorder {
  readonly #secrets: readonly string[];
  readonly #options: RecorderOptions;
  #url = '';
  #request: unknown = null;
  #status: number | null = null;
  #reader: AnswerReader | undefined;
  #headers: Headers | null = null;

  constructor(options: RecorderOptions) {
    this.#secrets = options.secrets.flatMap(formsOf);
    this.#options = options;
  }

  get status(): number | null {
    return this.#status;
  }

  /** Headers of the answer; null where no answer came. */
  get headers(): Headers | null {
    return this.#headers;
  }

  get exchange(): Exchange {
    const response = this.#reader ? this.#read(this.#reader.text) : null;
    return { url: this.#url, request: this.#request, status: this.#status, response };
  }

  /** The answer as it came, joined where it was streamed: JSON, or the text where it is not JSON. */
  get answer(): unknown {
    return jsonOr(this.#reader?.text ?? '', (text) => text);
  }

  /**
   * For an SDK, in place of the global one. Reads each answer to its end, also one that is streamed: one that ends too
   * early rejects here. The SDK is given the joined answer.
   */
  readonly fetch: Fetch = async (input, init) => {
    const request = new Request(input, init && wellFormedBody(init));
    const url = new URL(request.url);
    this.#url = this.#clean(`${url.origin}${url.pathname}`);
    const written = await request.text();
    this.#request = this.#read(written);
    const headers = Object.fromEntries(request.headers);
    if (this.#options.authorization !== undefined) headers['authorization'] = this.#options.authorization;
    const given = new AbortController();
    const signal = AbortSignal.any([request.signal, given.signal]);
    try {
      return await this.#send(url, {
        ...{ method: request.method, headers, signal },
        body: written === '' ? null : written,
      });
    } catch (error) {
      given.abort(error);
      throw error;
    }
  };

  /** A text from outside, fit for a record or an error. */
  clean(text: string): string {
    return this.#clean(text);
  }

  async #send(url: URL, request: SentRequest): Promise<Response> {
    const { idleMs, join } = this.#options;
    const { status, headers, body } = await inTime('the beginning of the answer', idleMs, () =>
      send(url, request),
    );
    this.#status = status;
    this.#headers = headers;
    if (status >= 300 && status < 400) throw redirected(headers, url);
    this.#reader = new AnswerReader(join?.());
    if (body) await this.#reader.read(body, idleMs);
    return new Response(this.#reader.text, { status, headers: answerHeaders(headers) });
  }

  #read(text: string): unknown {
    return withoutPictures(jsonOr(this.#clean(text), (clean) => clean.toWellFormed()));
  }

  #clean(text: string): string {
    return this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '[key]'), text);
  }
}

/** Many servers refuse a request with half a character, regardless of its origin: a tool, a file, or their own model. */
function wellFormedBody(init: RequestInit): RequestInit {
  return typeof init.body === 'string' ? { ...init, body: toJson(parseJson(init.body)) } : init;
}

/** A key in an address, in JSON, or as it is. */
function formsOf(secret: string): string[] {
  if (secret === '') return [];
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

/** The body is no longer as it was sent. */
function answerHeaders(given: Headers): [string, string][] {
  const changed = ['content-encoding', 'content-length', 'content-type'];
  return [...[...given].filter(([name]) => !changed.includes(name)), ['content-type', 'application/json']];
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

function jsonOr<T>(text: string, other: (text: string) => T): unknown {
  try {
    return parseJson(text);
  } catch {
    return other(text);
  }
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
