import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { RefusalReason } from '../node.ts';
import type { NetworkPolicy } from '../spec.ts';
import { isPublic } from './addresses.ts';
import { meansHost, parseHost, type HostRule } from './hosts.ts';
import type { Target } from './target.ts';

/** For one question to one name server, in milliseconds, and how many times it is asked. */
const dnsTimeout = { timeout: 5000, tries: 2 };

/** Thrown for a target that the policy does not allow. */
export class Refused extends Error {
  readonly why: RefusalReason;
  constructor(why: RefusalReason, message: string) {
    super(message);
    this.why = why;
  }
}

/** Decides where a sandbox may connect to, and finds the address. */
export class EgressPolicy {
  readonly #rules: readonly HostRule[] | 'all';
  readonly #names: ReadonlyMap<string, string>;

  /**
   * @param names addresses of names that are not looked up; these may be private
   * Errors: `bad-host`
   */
  constructor(policy: NetworkPolicy, names: Readonly<Record<string, string>>) {
    if (policy.mode === 'public') this.#rules = 'all';
    else this.#rules = policy.mode === 'allowlist' ? policy.hosts.map(parseHost) : [];
    this.#names = new Map(Object.entries(names));
  }

  /** The IP address to connect to: it is looked up once, so that what was judged is what is dialled. Errors: {@link Refused}. */
  async admit(target: Target): Promise<string> {
    if (this.#rules !== 'all') judge(target, this.#rules);
    const known = this.#names.get(target.host);
    if (known !== undefined) return known;
    const addresses = isIP(target.host) ? [target.host] : await lookUp(target.host);
    const hidden = addresses.find((address) => !isPublic(address));
    if (hidden !== undefined)
      throw new Refused('private-address', `${target.host} is ${hidden}, not a public address`);
    const [first] = addresses;
    if (first !== undefined) return first;
    throw new PwpError('no-such-host', `there is no host ${target.host}`);
  }
}

function judge(target: Target, rules: readonly HostRule[]): void {
  const about = rules.filter((rule) => meansHost(rule, target));
  if (about.some(({ ports }) => ports.includes(target.port))) return;
  if (about.length > 0)
    throw new Refused('port-not-allowed', `port ${target.port} of ${target.host} is not allowed`);
  if (isIP(target.host)) throw new Refused('address-not-allowed', `address ${target.host} is not allowed`);
  throw new Refused('host-not-allowed', `host ${target.host} is not allowed`);
}

/** IPv4 first: many machines have no way out by IPv6. Asks name servers itself, off the threads that files are read on. */
async function lookUp(host: string): Promise<string[]> {
  const resolver = new Resolver(dnsTimeout);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}
