import { randomBytes } from 'node:crypto';
import { PwpError, deadline, isSameSecret, type Deadline } from '../../bridge/lib/index.ts';

/** What somebody with a link may do: only watch, or also take control. */
export type Rights = 'view' | 'control';

/** What a token allows. */
export interface Pass {
  /** It is the server's own, which allows everything. */
  readonly isOwner: boolean;
  readonly rights: Rights;
  /** Fires when the link's time is over. */
  readonly expired: AbortSignal;
}

/** Who makes a request. */
export interface Visitor extends Pass {
  /** IP address that the request comes from; empty if it has gone already. */
  readonly address: string;
}

export interface LinkOptions {
  readonly rights: Rights;
  /** Milliseconds that the link is good for, at most 24 days. */
  readonly ttlMs: number;
}

/** An address with a token of its own. */
export interface Link extends LinkOptions {
  readonly url: string;
}

interface Shared {
  readonly token: string;
  readonly pass: Pass;
  readonly time: Deadline;
}

/** Links that are good at once: more are a mistake. */
const most = 100;
/** Timers can't wait any longer. */
const longestMs = 2 ** 31 - 1;

/** The tokens of a server, and what each allows. */
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

  /** Undefined for a token that is wrong, or good no more. Compares with all of them, so that time tells nothing. */
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
