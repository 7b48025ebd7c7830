import type { Command } from 'commander';
import { PwpError } from '../../bridge/lib/index.ts';
import { makeCertificate, readCertificate, requireHost, type Place } from '../serve/index.ts';

export interface PlaceOptions {
  readonly host?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** The address at which the page can be reached. */
export function placeOptions(command: Command): Command {
  return command
    .option(
      '--host <name>',
      'let other machines reach the page by this name or address of this one, over TLS',
    )
    .option('--tls-cert <file>', 'certificate of that name, as PEM; default: a new, self-signed one')
    .option('--tls-key <file>', 'its key, as PEM');
}

/** Undefined: on this machine alone. Errors: `usage`, `no-certificate`. */
export async function placeOf({ host, tlsCert, tlsKey }: PlaceOptions): Promise<Place | undefined> {
  const isOwn = tlsCert !== undefined && tlsKey !== undefined;
  if (!isOwn && (tlsCert ?? tlsKey) !== undefined)
    throw new PwpError('usage', '--tls-cert and --tls-key go together');
  if (host === undefined) {
    if (isOwn)
      throw new PwpError('usage', '--tls-cert is for other machines', { help: 'Add --host <name>.' });
    return undefined;
  }
  const name = requireHost(host);
  return { host: name, tls: isOwn ? await readCertificate(tlsCert, tlsKey) : await makeCertificate(name) };
}

/** For people to compare with the fingerprint that their browser shows. */
export function certificateText({ tls }: Place): string {
  return tls ? `Certificate, SHA-256: ${tls.fingerprint}` : '';
}
