import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { deadline, type Deadline, isSameSecret, PwpError } from '../../../bridge/lib/index.ts';
import type { Certificate } from './certificate.ts';

/** The rights of a person with a link: only watch, or also take control. */
export type LinkRights = 'view' | 'control';

/** The rights of a token. */
interface Pass {
  /** It is the server's own token, which allows everything. */
  readonly isOwner: boolean;
  readonly rights: LinkRights;
  /** Fires when the link's time is over. */
  readonly expired: AbortSignal;
}

/** The sender of a request. */
export interface Visitor extends Pass {
  /** IP address of the sender; empty if it has already gone. */
  readonly address: string;
  /** The name in `http://name:token@…`; empty if the token came in another way. */
  readonly user: string;
}

/** The parts of a header `Authorization`, empty where it has none. */
export function readCredentials(header: string): { readonly user: string; readonly secret: string } {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) (.+)$/i.exec(header) ?? [];
  if (scheme.toLowerCase() !== 'basic') return { user: '', secret: value };
  const [user = '', ...secret] = Buffer.from(value, 'base64').toString('utf8').split(':');
  return { user, secret: secret.join(':') };
}

export interface SharedLinkOptions {
  readonly rights: LinkRights;
  /** The validity of the link in milliseconds, at most 24 days. */
  readonly ttlMs: number;
}

/** An address with its own token. */
export interface SharedLink extends SharedLinkOptions {
  readonly url: string;
}

interface SharedToken {
  readonly token: string;
  readonly pass: Pass;
  readonly time: Deadline;
}

/** The maximum number of valid links: more are a mistake. */
const mostLinks = 100;
/** Timers can't wait any longer. */
const longestLinkMs = 2 ** 31 - 1;

/** The tokens of a server, with their rights. */
export class AccessTokens implements Disposable {
  readonly token: string;
  readonly #owner: Pass = { isOwner: true, rights: 'control', expired: new AbortController().signal };
  readonly #shared = new Set<SharedToken>();

  /** Errors: `usage` for a token that is too short. */
  constructor(token: string = newToken()) {
    if (token.length < 16) throw new PwpError('usage', 'the token is too short: give at least 16 characters');
    this.token = token;
  }

  /** Errors: `usage` for a time that is out of range, or too many links. */
  add(origin: string, { rights, ttlMs }: SharedLinkOptions): SharedLink {
    if (!(ttlMs > 0 && ttlMs <= longestLinkMs))
      throw new PwpError('usage', `a link can't be valid for ${ttlMs} ms: expected up to 24 days`);
    if (this.#shared.size >= mostLinks) throw new PwpError('usage', `there are ${mostLinks} links already`);
    const token = newToken();
    const time = deadline('the time of the link', ttlMs);
    const link = { token, time, pass: { isOwner: false, rights, expired: time.signal } };
    this.#shared.add(link);
    time.signal.addEventListener('abort', () => this.#shared.delete(link), { once: true });
    return { rights, ttlMs, url: `${origin}/?token=${token}` };
  }

  /** Undefined for a wrong or expired token. Compares with all tokens, so that the time it takes reveals nothing. */
  find(token: string): Pass | undefined {
    let found = isSameSecret(token, this.token) ? this.#owner : undefined;
    for (const each of this.#shared) if (isSameSecret(token, each.token)) found = each.pass;
    return found;
  }

  [Symbol.dispose](): void {
    for (const { time } of this.#shared) time[Symbol.dispose]();
    this.#shared.clear();
  }
}

function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** The address of a server. */
export interface ServerAddress {
  /** Name or IP address of this machine, as callers use it; see {@link requireHost}. */
  readonly host: string;
  /** Null: plain text, which is only for the loopback interface. */
  readonly tls: Certificate | null;
}

/** This machine alone. */
export const loopbackAddress: ServerAddress = { host: '127.0.0.1', tls: null };

/**
 * A host name or an address, as callers may use it. Errors: `usage` for anything else, and for all addresses at once: then
 * the address of a page would be unknown.
 */
export function requireHost(given: string): string {
  if (isIP(given) === 0 && !/^(?=.{1,253}$)[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(given))
    throw new PwpError('usage', `${JSON.stringify(given)} is neither a host name nor an address`);
  if (/^(::ffff:)?[0.:]+$/i.test(given))
    throw new PwpError('usage', `${given} stands for all addresses of this machine`, {
      help: 'Give the name or the address by which others reach it.',
    });
  return given.toLowerCase();
}

/** In the form of browsers, e.g. `https://[fd00::1]:8123`. */
export function formatOrigin({ host, tls }: ServerAddress, port: number): string {
  return `${tls ? 'https' : 'http'}://${bracketHost(host)}:${port}`;
}

/** The names of a server. */
export interface ServerNames {
  readonly place: ServerAddress;
  /** Names for callers behind a proxy or in a container, as {@link requireHost} returns them. */
  readonly others: readonly string[];
}

/**
 * Whether a request's `Host` is the server's own. A page of another origin has another one, even if its name was made to
 * resolve to this machine.
 */
export function isOwnHost(named: ServerNames, header: string): boolean {
  const { host, tls } = named.place;
  const name = readHostName(header);
  return name === bracketHost(host) || (tls === null && name === 'localhost') || isOtherName(named, name);
}

/** Whether a page's `Origin` is the server's own. A proxy may speak TLS in front of it. */
export function isOwnOrigin(named: ServerNames, origin: string, header: string): boolean {
  if (origin === `${named.place.tls ? 'https' : 'http'}://${header}`) return true;
  return isOtherName(named, readHostName(header)) && origin === `https://${header}`;
}

function isOtherName({ others }: ServerNames, name: string): boolean {
  return others.some((other) => bracketHost(other) === name);
}

function readHostName(header: string): string {
  return header.replace(/:\d+$/, '').toLowerCase();
}

function bracketHost(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
