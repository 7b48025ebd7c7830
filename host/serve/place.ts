import { isIP } from 'node:net';
import { PwpError } from '../../bridge/lib/index.ts';
import type { Certificate } from './certificate.ts';

/** The address of a server. */
export interface Place {
  /** Name or IP address of this machine, as callers use it; see {@link requireHost}. */
  readonly host: string;
  /** Null: plain text, which is only for the loopback interface. */
  readonly tls: Certificate | null;
}

/** This machine alone. */
export const loopback: Place = { host: '127.0.0.1', tls: null };

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
export function originOf({ host, tls }: Place, port: number): string {
  return `${tls ? 'https' : 'http'}://${inAddress(host)}:${port}`;
}

/** The names of a server. */
export interface Named {
  readonly place: Place;
  /** Names for callers behind a proxy or in a container, as {@link requireHost} returns them. */
  readonly others: readonly string[];
}

/**
 * Whether a request's `Host` is the server's own. A page of another origin has another one, even if its name was made to
 * resolve to this machine.
 */
export function isNamed(named: Named, header: string): boolean {
  const { host, tls } = named.place;
  const name = nameIn(header);
  return name === inAddress(host) || (tls === null && name === 'localhost') || isOther(named, name);
}

/** Whether a page's `Origin` is the server's own. A proxy may speak TLS in front of it. */
export function isOwnOrigin(named: Named, origin: string, header: string): boolean {
  if (origin === `${named.place.tls ? 'https' : 'http'}://${header}`) return true;
  return isOther(named, nameIn(header)) && origin === `https://${header}`;
}

function isOther({ others }: Named, name: string): boolean {
  return others.some((other) => inAddress(other) === name);
}

function nameIn(header: string): string {
  return header.replace(/:\d+$/, '').toLowerCase();
}

function inAddress(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
