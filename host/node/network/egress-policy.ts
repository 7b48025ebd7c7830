import { Resolver } from 'node:dns/promises';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { RefusalReason } from '../../../bridge/protocol/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { NetworkPolicy } from '../sandbox-spec.ts';

/** For one question to one name server, in milliseconds, and how many times it is asked. */
const dnsTimeout = { timeout: 5000, tries: 2 };

/** Thrown for a target that the policy does not allow. */
export class EgressRefused extends Error {
  readonly why: RefusalReason;
  constructor(why: RefusalReason, message: string) {
    super(message);
    this.why = why;
  }
}

/** Decides where a sandbox may connect to, and finds the address. */
export class EgressPolicy {
  readonly #rules: readonly EgressHostRule[] | 'all';
  readonly #names: ReadonlyMap<string, string>;

  /**
   * @param names addresses of names that are not looked up; these may be private
   * Errors: `bad-host`
   */
  constructor(policy: NetworkPolicy, names: Readonly<Record<string, string>>) {
    if (policy.mode === 'public') this.#rules = 'all';
    else this.#rules = policy.mode === 'allowlist' ? policy.hosts.map(parseHostRule) : [];
    this.#names = new Map(Object.entries(names));
  }

  /** The IP address to connect to: it is looked up once, so that what was judged is what is dialled. Errors: {@link EgressRefused}. */
  async admit(target: EgressTarget): Promise<string> {
    if (this.#rules !== 'all') judgeTarget(target, this.#rules);
    const known = this.#names.get(target.host);
    if (known !== undefined) return known;
    const addresses = isIP(target.host) ? [target.host] : await lookUp(target.host);
    const hidden = addresses.find((address) => !isPublicAddress(address));
    if (hidden !== undefined)
      throw new EgressRefused('private-address', `${target.host} is ${hidden}, not a public address`);
    const [first] = addresses;
    if (first !== undefined) return first;
    throw new PwpError('no-such-host', `there is no host ${target.host}`);
  }
}

function judgeTarget(target: EgressTarget, rules: readonly EgressHostRule[]): void {
  const about = rules.filter((rule) => matchesHost(rule, target));
  if (about.some(({ ports }) => ports.includes(target.port))) return;
  if (about.length > 0)
    throw new EgressRefused('port-not-allowed', `port ${target.port} of ${target.host} is not allowed`);
  if (isIP(target.host))
    throw new EgressRefused('address-not-allowed', `address ${target.host} is not allowed`);
  throw new EgressRefused('host-not-allowed', `host ${target.host} is not allowed`);
}

/** IPv4 first: many machines have no way out by IPv6. Asks name servers itself, off the threads that files are read on. */
async function lookUp(host: string): Promise<string[]> {
  const resolver = new Resolver(dnsTimeout);
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** One entry of a list of hosts. */
interface EgressHostRule {
  readonly host: string;
  /** Names below `host` are meant, and not `host` itself. */
  readonly subdomains: boolean;
  readonly ports: readonly number[];
}

const webPorts = [80, 443];
const hostRulePattern = /^(\*\.)?(\[[0-9a-fA-F:.]+\]|[^:[\]\s/@*?#\\]+)(?::(\d{1,5}))?$/;

/** Reads `name`, `*.name` or an IP address (IPv6 in brackets), each with `:port` where it is not 80 and 443. Errors: `bad-host`. */
export function parseHostRule(text: string): EgressHostRule {
  const [, wildcard, name, port] = hostRulePattern.exec(text) ?? [];
  if (name === undefined) throw badHostError(text);
  const host = normalizeRuleHost(name, text);
  const number = Number(port);
  if (port !== undefined && (number < 1 || number > 65_535)) throw badHostError(text);
  if (wildcard !== undefined && isIP(host)) throw badHostError(text);
  return { host, subdomains: wildcard !== undefined, ports: port === undefined ? webPorts : [number] };
}

/** Whether a rule is about this host, regardless of the port. */
export function matchesHost({ host, subdomains }: EgressHostRule, target: EgressTarget): boolean {
  return subdomains ? target.host.endsWith(`.${host}`) : target.host === host;
}

function normalizeRuleHost(name: string, text: string): string {
  try {
    return normalizeHost(name);
  } catch {
    throw badHostError(text);
  }
}

function badHostError(text: string): PwpError {
  return new PwpError('bad-host', `${JSON.stringify(text)} is not a host that can be allowed`, {
    help: 'Write name, *.name or an IP address, with :port where it is not 80 or 443; no scheme and no path.',
  });
}

/** Where a program inside wants to go. */
export interface EgressTarget {
  /** Lower case, ASCII, no trailing dot; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads what CONNECT asks for, `host:port`. Errors: `bad-target`. */
export function parseConnectTarget(authority: string): EgressTarget {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s/@?#\\]+):(\d{1,5})$/.exec(authority) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) throw badTargetError(authority);
  return { host: normalizeHost(host), port: Number(port) };
}

/** Reads the address that a plain request to a proxy names in full. Errors: `bad-target`. */
export function parseRequestTarget(
  address: string,
): EgressTarget & { readonly path: string; readonly authority: string } {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:') throw badTargetError(address);
  const { hostname, port, pathname, search, host } = url;
  return {
    host: normalizeHost(hostname),
    port: Number(port || 80),
    path: pathname + search,
    authority: host,
  };
}

/** The one form of a host, for all ways of writing it. Errors: `bad-target`. */
function normalizeHost(host: string): string {
  const parsed = URL.parse(`http://${host}`)?.hostname;
  const plain = parsed?.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!plain) throw badTargetError(host);
  return plain;
}

function badTargetError(text: string): PwpError {
  return new PwpError('bad-target', `${JSON.stringify(clip(text, 300))} is not an address for a proxy`);
}

/** From IANA's special-purpose registry: everything in IPv4 that is not one machine on the public internet. */
const specialV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
/** Special ranges within 2000::/3: protocol assignments with Teredo, documentation, 6to4. All outside is special. */
const specialV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const specialAddresses = new BlockList();
for (const [net, prefix] of specialV4) specialAddresses.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of specialV6) specialAddresses.addSubnet(net, prefix, 'ipv6');
const globalV6 = new BlockList();
globalV6.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is one of the public internet, and not this machine's own. */
export function isPublicAddress(address: string): boolean {
  if (isOwnAddress(address)) return false;
  if (isIPv4(address)) return !specialAddresses.check(address, 'ipv4');
  return globalV6.check(address, 'ipv6') && !specialAddresses.check(address, 'ipv6');
}

function isOwnAddress(address: string): boolean {
  const own = new BlockList();
  for (const each of Object.values(networkInterfaces()).flatMap((list) => list ?? []))
    own.addAddress(each.address, each.family === 'IPv4' ? 'ipv4' : 'ipv6');
  return own.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}
