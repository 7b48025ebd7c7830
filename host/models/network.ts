import type { Dispatcher } from 'undici';
import { PwpError } from '../../bridge/lib/index.ts';

/** A server's address as settings give it, and the header that its user and password make. */
export interface ServerAddress {
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
export function readAddress(text: string): ServerAddress {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new PwpError('usage', 'the base URL of the model is not an http or https address', {
      help: 'For example http://127.0.0.1:8000/v1',
    });
  const user = [url.username, url.password];
  [url.username, url.password] = ['', ''];
  const baseUrl = url.href.replace(/\/+$/, '');
  if (user.every((part) => part === '')) return { baseUrl };
  return { baseUrl, authorization: `Basic ${Buffer.from(user.map(decoded).join(':')).toString('base64')}` };
}

/** An address for people and records: without user and password. Text that is not an address is shown as it is. */
export function shownAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username === '' && url.password === '') return text;
  [url.username, url.password] = ['', ''];
  return url.href;
}

/** Text that is not an escape stays as it is. */
function decoded(part: string): string {
  return part.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
}

/**
 * Sends one request, through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, if they do. A redirect is
 * not followed: it would take the conversation, and the key, to a server that the user did not choose. No time-out but
 * the signal's: the usual one ends an answer whose first byte takes longer than five minutes.
 */
export async function send(url: URL, init: SentRequest): Promise<Response> {
  const { fetch } = await import('undici');
  const dispatcher = await proxies();
  return await fetch(url, { ...init, redirect: 'manual', dispatcher });
}

export interface SentRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

const opened = new Map<string, Dispatcher>();

/** As the environment says now. Connections are kept from one turn to the next. */
async function proxies(): Promise<Dispatcher> {
  const [http, https, not] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => process.env[name] || process.env[name.toUpperCase()] || '',
  );
  const key = JSON.stringify([http, https, not]);
  const found = opened.get(key);
  if (found) return found;
  const made = await open(http ?? '', https ?? '', not ?? '');
  opened.set(key, made);
  return made;
}

async function open(httpProxy: string, httpsProxy: string, noProxy: string): Promise<Dispatcher> {
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
