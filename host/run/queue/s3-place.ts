import { PwpError } from '../../../bridge/lib/index.ts';

/** Where a store in a bucket is, and the keys to it. */
export interface S3Place {
  /** As the user names it, without keys. */
  readonly address: string;
  readonly bucket: string;
  /** The bucket's URL, without a slash at the end. */
  readonly url: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
  readonly region: string;
  readonly keys: S3Keys;
}

export interface S3Keys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of keys for a limited time. */
  readonly sessionToken?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const s3Address =
  /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>\w[\w.~-]*(?:\/\w[\w.~-]*)*))?\/?$/;

export function isS3Address(address: string): boolean {
  return address.startsWith('s3:');
}

/**
 * Reads the address of a store, and the rest from the variables that the AWS tools read. Errors: `usage` for an address
 * that is not valid or has keys in it; `bad-setting` for variables.
 * @param address `s3://bucket/prefix`
 */
export function readS3Place(address: string, env: Environment = process.env): S3Place {
  const { bucket, prefix = '' } = s3Address.exec(address)?.groups ?? {};
  // It is not shown: there may be a key in it.
  if (bucket === undefined)
    throw new PwpError('usage', 'the address of the store is not valid', {
      help: 'Expected e.g. s3://bucket/prefix. Keys are set by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
    });
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
  if (!/^[a-z0-9-]{1,50}$/.test(region)) throw new PwpError('bad-setting', 'AWS_REGION is not a region');
  return {
    ...{ address: `s3://${[bucket, prefix].filter(Boolean).join('/')}`, bucket, region, keys: readKeys(env) },
    url: locateBucket(bucket, region, env),
    prefix: prefix === '' ? '' : `${prefix}/`,
  };
}

function readKeys(env: Environment): S3Keys {
  const [accessKeyId, secretAccessKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
  if (!accessKeyId || !secretAccessKey)
    throw new PwpError('bad-setting', 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set', {
      help: 'Set both for --store s3://…, on each machine. Profiles and roles of machines are not read.',
    });
  const sessionToken = env['AWS_SESSION_TOKEN'];
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}

/** By its path at an endpoint, which may have no name for each bucket; else by its name at Amazon. */
function locateBucket(bucket: string, region: string, env: Environment): string {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'];
  if (endpoint) return `${readEndpoint(endpoint)}/${bucket}`;
  // No certificate is for names with more dots.
  if (bucket.includes('.')) return `https://s3.${region}.amazonaws.com/${bucket}`;
  return `https://${bucket}.s3.${region}.amazonaws.com`;
}

function readEndpoint(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash)
    return url.href.replace(/\/+$/, '');
  throw new PwpError('bad-setting', 'AWS_ENDPOINT_URL is not the address of a server', {
    help: 'Expected e.g. https://s3.example:9000, without keys in it.',
  });
}
