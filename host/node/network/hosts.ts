import { isIP } from 'node:net';
import { PwpError } from '../../../bridge/lib/index.ts';
import { normalHost, type Target } from './target.ts';

/** One entry of a list of hosts. */
export interface HostRule {
  readonly host: string;
  /** Names below `host` are meant, and not `host` itself. */
  readonly subdomains: boolean;
  readonly ports: readonly number[];
}

const webPorts = [80, 443];
const entry = /^(\*\.)?(\[[0-9a-fA-F:.]+\]|[^:[\]\s/@*?#\\]+)(?::(\d{1,5}))?$/;

/** Reads `name`, `*.name` or an IP address (IPv6 in brackets), each with `:port` where it is not 80 and 443. Errors: `bad-host`. */
export function parseHost(text: string): HostRule {
  const [, wildcard, name, port] = entry.exec(text) ?? [];
  if (name === undefined) throw badHost(text);
  const host = hostOf(name, text);
  const number = Number(port);
  if (port !== undefined && (number < 1 || number > 65_535)) throw badHost(text);
  if (wildcard !== undefined && isIP(host)) throw badHost(text);
  return { host, subdomains: wildcard !== undefined, ports: port === undefined ? webPorts : [number] };
}

/** Whether a rule is about this host, regardless of the port. */
export function meansHost({ host, subdomains }: HostRule, target: Target): boolean {
  return subdomains ? target.host.endsWith(`.${host}`) : target.host === host;
}

function hostOf(name: string, text: string): string {
  try {
    return normalHost(name);
  } catch {
    throw badHost(text);
  }
}

function badHost(text: string): PwpError {
  return new PwpError('bad-host', `${JSON.stringify(text)} is not a host that can be allowed`, {
    help: 'Write name, *.name or an IP address, with :port where it is not 80 or 443; no scheme and no path.',
  });
}
