import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { execa } from 'execa';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';

/** The certificate with which a server identifies itself over TLS. */
export interface Certificate {
  /** PEM; the server's own certificate first. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
  /** SHA-256 of the certificate in hex with colons, as browsers show it. */
  readonly fingerprint: string;
}

/** The usual validity of certificates that are made here, in days: people trust them. */
const certificateDays = 30;

/**
 * Makes a self-signed certificate, so browsers ask before they trust it. It is only kept in memory. Errors:
 * `no-certificate` without the program openssl.
 * @param host name or address that callers use, already checked
 * @param days its validity
 */
export async function makeCertificate(host: string, days: number = certificateDays): Promise<Certificate> {
  const name = isIP(host) === 0 ? `DNS:${host}` : `IP:${host}`;
  const subject = ['-subj', '/CN=Programming with Pixels', '-addext', `subjectAltName=${name}`];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const words = ['req', '-x509', ...key, '-days', `${days}`, ...subject, '-keyout', '-', '-out', '-'];
  try {
    const { stdout } = await execa('openssl', words, { timeout: 30_000 });
    const part = (label: string) =>
      new RegExp(`-----BEGIN ${label}-----[^]*?-----END ${label}-----\n?`).exec(stdout)?.[0] ?? '';
    return checkCertificate(part('CERTIFICATE'), part('PRIVATE KEY'));
  } catch (cause) {
    throw new PwpError('no-certificate', "can't make a certificate with openssl", {
      help: 'Install openssl, or give your own certificate: --tls-cert and --tls-key.',
      cause,
    });
  }
}

/** Errors: `no-certificate` for files that can't be read, are not PEM, do not belong together, or are out of date. */
export async function readCertificate(certificatePath: string, keyPath: string): Promise<Certificate> {
  try {
    return checkCertificate(await readFile(certificatePath, 'utf8'), await readFile(keyPath, 'utf8'));
  } catch (cause) {
    throw new PwpError(
      'no-certificate',
      `can't use ${certificatePath} with ${keyPath}: ${describeError(cause)}`,
      {
        help: 'Give two PEM files: the certificate, followed by its chain, and its key without a password.',
        cause,
      },
    );
  }
}

function checkCertificate(certificate: string, key: string): Certificate {
  const parsed = new X509Certificate(certificate);
  if (!parsed.checkPrivateKey(createPrivateKey(key)))
    throw new Error('the key is that of another certificate');
  const now = Date.now();
  if (now < Date.parse(parsed.validFrom) || now > Date.parse(parsed.validTo))
    throw new Error(`the certificate is valid from ${parsed.validFrom} to ${parsed.validTo}`);
  return { certificate, key, fingerprint: parsed.fingerprint256 };
}
