import { randomBytes } from 'node:crypto';
import { PwpError, deadline, isSameSecret, type Deadline } from '../../bridge/lib/index.ts';

/** The rights of a person with a link: only watch, or also take control. */
export type Rights = 'view' | 'control';

/** The rights of a token. */
export interface Pass {
  /** It is the server's own token, which allows everything. */
  readonly isOwner: boolean;
  readonly rights: Rights;
  /** Fires when the link's time is over. */
  readonly expired: AbortSignal;
}

/** The sender of a request. */
export interface Visitor extends Pass {
  /** IP address of the sender; empty if it has already gone. */
  readonly address: string;
}

export interface LinkOptions {
  readonly rights: Rights;
  /** The validity of the link in milliseconds, at most 24 days. */
  readonly ttlMs: number;
}

/** An address with its own token. */
export interface Link extends LinkOptions {
  readonly url: string;
}

interface Shared {
  readonly token: string;
  readonly pass: Pass;
  readonly time: Deadline;
}

/** The maximum number of valid links: more are a mistake. */
const most = 100;
/** Timers can't wait any longer. */
const longestMs = 2 ** 31 - 1;

/** The tokens of a server, with their rights. */
export class Links implements Disposable {
  readonly token: string;
  readonly #owner: Pass = { isOwner: true, rights: 'control', expired: new AbortController().signal };
  readonly #shared = new Set<Shared>();

  /** Errors: `usage` for a token that is too short. */
  constructor(token: string = newToken()) {
    if (token.length < 16) throw new PwpError('usage', 'the token is too short: give at least 16 characters');
    this.token = token;
  }

  /** Errors: `usage` for a time that is out of range, or too many links. */
  add(origin: string, { rights, ttlMs }: LinkOptions): Link {
    if (!(ttlMs > 0 && ttlMs <= longestMs))
      throw new PwpError('usage', `a link can't be valid for ${ttlMs} ms: expected up to 24 days`);
    if (this.#shared.size >= most) throw new PwpError('usage', `there are ${most} links already`);
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
