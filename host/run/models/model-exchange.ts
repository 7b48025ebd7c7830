import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { PwpError } from '../../../bridge/lib/index.ts';
import { parseJson, toJson } from '../../../bridge/text/index.ts';
import { type AnswerJoiner, AnswerReader, waitInTime } from './answer-reader.ts';
import type { TokenUsage } from './token-usage.ts';

/** One request and its answer as they went over the wire; pictures are replaced by their hashes, keys by `[key]`. */
export interface WireExchange {
  /** Without its query. */
  readonly url: string;
  readonly request: unknown;
  /** Null where no answer came. */
  readonly status: number | null;
  /** JSON, else the text; null where no answer came. A streamed answer is joined into the form of a whole one. */
  readonly response: unknown;
}

/** One try to get an answer. */
export interface RequestTry {
  /** ISO 8601. */
  readonly at: string;
  readonly ms: number;
  readonly status: number | null;
  /** Why it failed; null for the one that did not. */
  readonly error: string | null;
  /** Milliseconds waited before it: for a free place, or because the server was busy. */
  readonly waitedMs: number;
  /** Tokens that the server counted for a try that failed anyway. Default: nothing. */
  readonly usage?: TokenUsage | undefined;
}

/** Shorter texts can't be a picture worth a file. */
const shortestPicture = 64;

export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface ExchangeRecorderOptions {
  /** Texts that must not get into a record. */
  readonly secrets: readonly string[];
  /** In place of that of the SDK. */
  readonly authorization?: string | undefined;
  /** Longest silence of the server, in milliseconds: before its answer begins, and within it. */
  readonly idleMs: number;
  /** Joins an answer that is streamed. */
  readonly join?: (() => AnswerJoiner) | undefined;
}

/** The part of a recorder that an SDK makes its requests through. */
export type SdkTransport = Pick<ExchangeRecorder, 'fetch' | 'answer'>;

/** The request and answer of one try, seen between a vendor's SDK and the network. */
export class ExchangeRecorder {
  readonly #secrets: readonly string[];
  readonly #options: ExchangeRecorderOptions;
  #url = '';
  #request: unknown = null;
  #status: number | null = null;
  #reader: AnswerReader | undefined;
  #headers: Headers | null = null;

  constructor(options: ExchangeRecorderOptions) {
    this.#secrets = options.secrets.flatMap(listSecretForms);
    this.#options = options;
  }

  get status(): number | null {
    return this.#status;
  }

  /** Headers of the answer; null where no answer came. */
  get headers(): Headers | null {
    return this.#headers;
  }

  get exchange(): WireExchange {
    const response = this.#reader ? this.#read(this.#reader.text) : null;
    return { url: this.#url, request: this.#request, status: this.#status, response };
  }

  /** The answer as it came, joined where it was streamed: JSON, or the text where it is not JSON. */
  get answer(): unknown {
    return parseJsonOrText(this.#reader?.text ?? '', (text) => text);
  }

  /**
   * For an SDK, in place of the global one. Reads each answer to its end, also one that is streamed: one that ends too
   * early rejects here. The SDK is given the joined answer.
   */
  readonly fetch: FetchFunction = async (input, init) => {
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

  async #send(url: URL, request: OutgoingRequest): Promise<Response> {
    const { idleMs, join } = this.#options;
    const { status, headers, body } = await waitInTime('the beginning of the answer', idleMs, () =>
      sendModelRequest(url, request),
    );
    this.#status = status;
    this.#headers = headers;
    if (status >= 300 && status < 400) throw makeRedirectError(headers, url);
    this.#reader = new AnswerReader(join?.());
    if (body) await this.#reader.read(body, idleMs);
    return new Response(this.#reader.text, { status, headers: makeAnswerHeaders(headers) });
  }

  #read(text: string): unknown {
    return withoutPictures(parseJsonOrText(this.#clean(text), (clean) => clean.toWellFormed()));
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
function listSecretForms(secret: string): string[] {
  if (secret === '') return [];
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

/** The body is no longer as it was sent. */
function makeAnswerHeaders(given: Headers): [string, string][] {
  const changed = ['content-encoding', 'content-length', 'content-type'];
  return [...[...given].filter(([name]) => !changed.includes(name)), ['content-type', 'application/json']];
}

function makeRedirectError(headers: Headers, from: URL): PwpError {
  const to = headers.get('location') ?? '';
  const where = URL.canParse(to, from.href) ? new URL(to, from) : null;
  return new PwpError(
    'model-redirected',
    `the server sends on to ${where ? `${where.origin}${where.pathname}` : 'nowhere'}, which is not followed`,
    { help: 'Give that address as the base URL, if it is to have the conversation and the key.' },
  );
}

function parseJsonOrText<T>(text: string, other: (text: string) => T): unknown {
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
  const isPicture = key === 'data' && text.length > shortestPicture && /^[A-Za-z0-9+/]+=*$/.test(text);
  return isPicture ? pictureHash(text) : text;
}

function pictureHash(base64: string): string {
  return `sha256:${createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex')}`;
}

/** A server's address as settings give it, and the header that its user and password make. */
interface ServerAddress {
  /** Without user and password. */
  readonly baseUrl: string;
  /** Value of `authorization`; undefined where the address has no user. */
  readonly authorization?: string | undefined;
}

/** This machine itself is always asked directly. */
const neverProxied = ['localhost', '127.0.0.1', '[::1]', '::1'];

/**
 * Reads the address of a model's server. Its user and password go into a header, so that no error and no record shows
 * them. Errors: `usage`, which does not repeat the address.
 */
export function readServerAddress(text: string): ServerAddress {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new PwpError('usage', 'the base URL of the model is not an http or https address', {
      help: 'For example http://127.0.0.1:8000/v1',
    });
  const user = [url.username, url.password];
  [url.username, url.password] = ['', ''];
  const baseUrl = url.href.replace(/\/+$/, '');
  if (user.every((part) => part === '')) return { baseUrl };
  return {
    baseUrl,
    authorization: `Basic ${Buffer.from(user.map(decodeEscapes).join(':')).toString('base64')}`,
  };
}

/** An address for people and records: without user and password. Text that is not an address is shown as it is. */
export function redactAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  [url.username, url.password] = ['', ''];
  return url.href;
}

/** Text that is not an escape stays as it is. */
function decodeEscapes(part: string): string {
  return part.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
}

/**
 * Sends one request, through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, if they do. A redirect is
 * not followed: it would take the conversation, and the key, to a server that the user did not choose. No time-out but
 * the signal's: the usual one ends an answer whose first byte takes longer than five minutes.
 */
async function sendModelRequest(url: URL, init: OutgoingRequest): Promise<Response> {
  const { fetch } = await import('undici');
  const dispatcher = await getDispatcher();
  return await fetch(url, { ...init, redirect: 'manual', dispatcher });
}

interface OutgoingRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

const keptDispatchers = new Map<string, Dispatcher>();

/** As the environment says now. Connections are kept from one turn to the next. */
async function getDispatcher(): Promise<Dispatcher> {
  const [http, https, not] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => process.env[name] || process.env[name.toUpperCase()] || '',
  );
  const key = JSON.stringify([http, https, not]);
  const found = keptDispatchers.get(key);
  if (found) return found;
  const made = await openDispatcher(http ?? '', https ?? '', not ?? '');
  keptDispatchers.set(key, made);
  return made;
}

async function openDispatcher(httpProxy: string, httpsProxy: string, noProxy: string): Promise<Dispatcher> {
  const { Agent, EnvHttpProxyAgent } = await import('undici');
  // The signal of a try ends it, not these.
  const patient = { headersTimeout: 0, bodyTimeout: 0 };
  if (httpProxy === '' && httpsProxy === '') return new Agent(patient);
  for (const proxy of [httpProxy, httpsProxy])
    if (proxy !== '' && !URL.canParse(proxy))
      throw new PwpError('usage', 'HTTP_PROXY or HTTPS_PROXY is not an address', {
        help: 'For example http://proxy.example:3128',
      });
  return new EnvHttpProxyAgent({
    ...patient,
    httpProxy,
    httpsProxy,
    noProxy: [noProxy, ...neverProxied].filter((one) => one !== '').join(','),
    // As curl does: a tunnel for https alone, since many proxies refuse one to another port.
    proxyTunnel: false,
  });
}
