import { collectCauses, PwpError, type PwpErrorCode } from '../../../bridge/lib/index.ts';
import { clip } from '../../../bridge/text/index.ts';
import type { S3Place } from './s3-place.ts';

/** What each kind of failure is for people; those that pass are waited for. */
const failureKinds = {
  passing: {
    code: 'store-unreachable',
    help: 'Start its server, or correct AWS_ENDPOINT_URL.',
  },
  insecure: {
    code: 'store-unreachable',
    help: 'Correct AWS_ENDPOINT_URL, or name its certificate: NODE_EXTRA_CA_CERTS=<file>.',
  },
  damaged: {
    code: 'no-data',
    help: 'If it stays so, remove the file from the store: the same command puts it there again.',
  },
  denied: {
    code: 'store-denied',
    help: 'Correct AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN. The keys need the rights to list, get, put and delete.',
  },
  /** There is no such object, where one is expected or made. */
  missing: { code: 'no-such-store', help: 'Correct AWS_ENDPOINT_URL, or --store.' },
  noBucket: { code: 'no-such-store', help: 'Make the bucket, or correct --store.' },
  full: { code: 'disk-full', help: 'Make room there: pwp queue clean removes old files.' },
  otherRegion: { code: 'bad-setting', help: "Set AWS_REGION to the bucket's region." },
  other: { code: 'store-failed', help: 'Give --store a prefix of its own, on a server that speaks S3.' },
} as const satisfies Record<string, { readonly code: PwpErrorCode; readonly help: string }>;

export type S3FailureKind = keyof typeof failureKinds;

/** Why one request did not succeed. */
export class S3Failure extends Error {
  readonly kind: S3FailureKind;

  constructor(kind: S3FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** The longest part of an answer that is shown, in characters. */
const maxShown = 300;

/** Reads an answer that is not a success. */
export function readS3Refusal(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  text: string,
): S3Failure {
  const [, code = ''] = /<Code>([\w.]+)<\/Code>/.exec(text) ?? [];
  const [, message = ''] = /<Message>([^<]*)<\/Message>/.exec(text) ?? [];
  const region = headers['x-amz-bucket-region'] ?? /<Region>([\w-]+)<\/Region>/.exec(text)?.[1];
  const kind = classifyRefusal(status, code);
  const shown = [code, clip(message, maxShown)].filter(Boolean).join(': ');
  const where = kind === 'otherRegion' && region !== undefined ? `; the bucket is in ${String(region)}` : '';
  return new S3Failure(kind, `it answered ${status}${shown && ` ${shown}`}${where}`);
}

/** By the code in the answer, which some servers leave out, then by its status. */
function classifyRefusal(status: number, code: string): S3FailureKind {
  if (code === 'NoSuchBucket') return 'noBucket';
  if (status === 404) return ['', 'NoSuchKey', 'NotFound'].includes(code) ? 'missing' : 'other';
  if (/Redirect$|^AuthorizationHeaderMalformed$|^IllegalLocationConstraint/.test(code)) return 'otherRegion';
  if (/StorageFull|QuotaExceeded|InsufficientStorage|InsufficientCapacity/.test(code)) return 'full';
  if (/^(BadDigest|InvalidDigest|XAmzContentSHA256Mismatch)$/.test(code)) return 'damaged';
  if (/^(SlowDown|RequestTimeout|IncompleteBody|OperationAborted)$/.test(code)) return 'passing';
  if (/AccessKey|SignatureDoesNotMatch|AccessDenied|TokenRefresh|(Expired|Invalid)Token/.test(code))
    return 'denied';
  if ([301, 307, 308].includes(status)) return 'otherRegion';
  if ([401, 403].includes(status)) return 'denied';
  if (status === 507) return 'full';
  return status !== 501 && (status >= 500 || status === 408 || status === 429) ? 'passing' : 'other';
}

const networkCodes: readonly string[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['EAI_AGAIN', 'ENOTFOUND', 'ERR_STREAM_PREMATURE_CLOSE'],
];

/** The failure of a connection; undefined for any other error, such as one of this machine's disk. */
export function readNetworkError(error: unknown): S3Failure | undefined {
  for (const at of [error, ...collectCauses(error)]) {
    if (at instanceof S3Failure) return at;
    if (!(at instanceof Error) || !('code' in at) || typeof at.code !== 'string') continue;
    const message = at.message || at.code;
    if (networkCodes.includes(at.code) || at.code.startsWith('HPE_'))
      return new S3Failure('passing', message, { cause: error });
    if (/^ERR_(TLS|SSL)|CERT|^EPROTO$|^UNABLE_TO_/.test(at.code))
      return new S3Failure('insecure', message, { cause: error });
  }
  return undefined;
}

/** @param operation such as `get files/ab.tar from` */
export function makeS3Error(
  place: S3Place,
  operation: string,
  { kind, message, cause }: S3Failure,
): PwpError {
  const { code, help } = failureKinds[kind];
  const keys: readonly string[] = Object.values(place.keys);
  const shown = keys.reduce((text, key) => text.replaceAll(key, '[key]'), message);
  const at = new URL(place.url).origin;
  return new PwpError(code, `can't ${operation} ${place.address} at ${at}: ${shown}`, { cause, help });
}
