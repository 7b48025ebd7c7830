import { PwpError, clip } from '../../../bridge/lib/index.ts';

/** Where a program inside wants to go. */
export interface Target {
  /** Lower case, ASCII, no trailing dot; an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads what CONNECT asks for, `host:port`. Errors: `bad-target`. */
export function connectTarget(authority: string): Target {
  const [, host, port] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s/@?#\\]+):(\d{1,5})$/.exec(authority) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) throw badTarget(authority);
  return { host: normalHost(host), port: Number(port) };
}

/** Reads the address that a plain request to a proxy names in full. Errors: `bad-target`. */
export function requestTarget(
  address: string,
): Target & { readonly path: string; readonly authority: string } {
  const url = URL.parse(address);
  if (url?.protocol !== 'http:') throw badTarget(address);
  const { hostname, port, pathname, search, host } = url;
  return { host: normalHost(hostname), port: Number(port || 80), path: pathname + search, authority: host };
}

/** The one form of a host, for all ways of writing it. Errors: `bad-target`. */
export function normalHost(host: string): string {
  const parsed = URL.parse(`http://${host}`)?.hostname;
  const plain = parsed?.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!plain) throw badTarget(host);
  return plain;
}

function badTarget(text: string): PwpError {
  return new PwpError('bad-target', `${JSON.stringify(clip(text, 300))} is not an address for a proxy`);
}
