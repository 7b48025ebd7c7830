import { PwpError, type PwpErrorCode } from '../../../bridge/lib/index.ts';
import { imageArchitecture } from './root-config.ts';

interface FailureKind {
  readonly pattern: RegExp;
  readonly code: PwpErrorCode;
  readonly help?: string;
}

/** What the tools say, in the order in which it is looked for. */
const failureKinds: readonly FailureKind[] = [
  { pattern: /no space left on device|disk quota exceeded/, code: 'disk-full', help: 'Make room first.' },
  {
    pattern: /is not supported over/,
    code: 'bad-setting',
    help: 'The cache folder (PWP_HOME) must be on a local disk, not on an overlay, as the root of a container is.',
  },
  {
    pattern: /Digest did not match|digest mismatch|does not match expected digest|invalid checksum/i,
    code: 'bad-image',
    help: 'Fetch it again; if it stays so, the registry or the file is damaged.',
  },
  { pattern: /no image found in (?:manifest list|image index)/, code: 'other-architecture' },
  {
    pattern: /unauthorized|authentication required|requested access to the resource is denied|denied:/,
    code: 'no-such-image',
    help: 'If the image is private, log in first: skopeo login, or docker login.',
  },
  {
    pattern: /manifest unknown|name unknown|no descriptor found|no such file|not found|more than one image/,
    code: 'no-such-image',
  },
  {
    pattern:
      /dial tcp|no such host|connection (?:refused|reset)|i\/o timeout|TLS handshake|x509|tls:|unexpected EOF|server gave HTTP response|: pwp: /,
    code: 'registry-unreachable',
    help: 'Check the network, and the name of the registry. What was fetched so far is kept.',
  },
];

/**
 * What a tool's error means. Errors: `no-such-image`, `registry-unreachable`, `bad-image`, `other-architecture`,
 * `disk-full`, `command-failed`.
 */
export function explainFetchFailure(reference: string, said: string): PwpError {
  const kind = failureKinds.find(({ pattern }) => pattern.test(said));
  if (kind?.code === 'other-architecture')
    return new PwpError(kind.code, `${reference} is not there for this machine, ${imageArchitecture()}`);
  const text = `can't fetch ${reference}: ${nameDamaged(said) ?? said}`;
  return new PwpError(
    kind?.code ?? 'command-failed',
    text,
    kind?.help === undefined ? {} : { help: kind.help },
  );
}

/** Says which part is damaged, in place of the file that it was written to. */
function nameDamaged(said: string): string | null {
  const [, expected, got] = /Digest did not match, expected (sha256:\w+), got (sha256:\w+)/i.exec(said) ?? [];
  return expected === undefined ? null : `layer ${expected} is damaged: what came has the digest ${got}`;
}
