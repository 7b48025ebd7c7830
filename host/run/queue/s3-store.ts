import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Cancellable, PwpError, readBounded } from '../../../bridge/lib/index.ts';
import {
  assertBlobName,
  type BlobStore,
  checkedName,
  type CheckOptions,
  isBlobName,
  type StoredBlob,
} from './blob-store.ts';
import { S3Failure } from './s3-failures.ts';
import type { S3Place } from './s3-place.ts';
import { askS3, type S3Request, type S3Times } from './s3-requests.ts';

/** A long patience: what a worker puts may have taken it an hour. */
const usualS3Times: S3Times = { patienceMs: 600_000, silenceMs: 120_000 };
const startPatienceMs = 10_000;
/** What S3 takes in one request, in bytes. */
const maxBlobBytes = 5 * 1024 ** 3;
/** A list of a thousand keys is shorter. */
const maxListBytes = 16 * 1024 ** 2;
/** The hash of a file, as hexadecimal digits. Objects without it are not ours. */
const hashHeader = 'x-amz-meta-pwp-sha256';

/** Files in a bucket, at Amazon or any server that speaks S3. Interrupted requests are repeated, and hashes checked. */
export class S3Store implements BlobStore {
  readonly #place: S3Place;
  readonly #times: S3Times;

  constructor(place: S3Place, times: S3Times = usualS3Times) {
    this.#place = place;
    this.#times = times;
  }

  async check({ signal, patient = false }: CheckOptions = {}): Promise<void> {
    const request = { method: 'PUT', operation: 'put files into', name: checkedName } as const;
    const patienceMs = Math.min(this.#times.patienceMs, patient ? Infinity : startPatienceMs);
    await this.#ask(request, () => true, { signal, patienceMs });
  }

  async has(name: string, options: Cancellable = {}): Promise<boolean> {
    const request = { method: 'HEAD', operation: `find ${name} in`, name } as const;
    return (await this.#ask(request, readHash, options)) !== null;
  }

  async put(name: string, file: string, options: Cancellable = {}): Promise<void> {
    const { size: bytes } = await stat(file);
    if (bytes > maxBlobBytes)
      throw new PwpError('too-large', `${name} has ${bytes} bytes; S3 takes ${maxBlobBytes} at most`, {
        help: 'Give --store a folder, or record less.',
      });
    const sha256 = await hashFile(file);
    const request = { method: 'PUT', operation: `put ${name} into`, name } as const;
    const sent = { headers: { [hashHeader]: sha256 }, body: { file, bytes, sha256 } };
    await this.#ask({ ...request, ...sent }, () => true, options);
  }

  async get(name: string, file: string, options: Cancellable = {}): Promise<void> {
    const read = async (answer: IncomingMessage) => {
      const sha256 = readHash(answer);
      if ((await writeHashed(answer, file)) === sha256) return true;
      throw new S3Failure('damaged', 'its content is not what was put there');
    };
    const request = { method: 'GET', operation: `get ${name} from`, name } as const;
    if (await this.#ask(request, read, options)) return;
    throw new PwpError('no-data', `the store ${this.#place.address} does not have ${name}`, {
      help: 'Give workers and studies the same --store.',
    });
  }

  async *list(prefix: string, options: Cancellable = {}): AsyncGenerator<StoredBlob> {
    const { prefix: above } = this.#place;
    let next: string | undefined;
    do {
      const page = await this.#readPage(above + prefix, next, options);
      for (const { key, putAt } of page?.objects ?? []) {
        const name = key.slice(above.length);
        if (isBlobName(name)) yield { name, putAt };
      }
      next = page?.next;
    } while (next !== undefined);
  }

  async remove(name: string, options: Cancellable = {}): Promise<void> {
    await this.#ask({ method: 'DELETE', operation: `remove ${name} from`, name }, () => true, options);
  }

  async #readPage(prefix: string, next: string | undefined, options: Cancellable): Promise<S3Page | null> {
    const query = { 'list-type': '2', prefix, ...(next !== undefined && { 'continuation-token': next }) };
    return await this.#ask({ method: 'GET', operation: 'list files in', query }, readPage, options);
  }

  /** @param request of the bucket, if it has no name */
  async #ask<T>(
    { name, ...request }: Omit<S3Request, 'key'> & { readonly name?: string },
    read: (answer: IncomingMessage) => T | Promise<T>,
    options: Cancellable & Partial<S3Times>,
  ): Promise<T | null> {
    if (name !== undefined) assertBlobName(name);
    const key = name === undefined ? '' : this.#place.prefix + name;
    return await askS3(this.#place, { ...request, key }, read, { ...this.#times, ...options });
  }
}

function readHash({ headers }: IncomingMessage): string {
  const sha256 = String(headers[hashHeader]);
  if (/^[0-9a-f]{64}$/.test(sha256)) return sha256;
  throw new S3Failure('other', 'another program has put it there');
}

interface S3Page {
  readonly objects: readonly { readonly key: string; readonly putAt: number }[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
}

/** Keys with other characters than names in a store have are not ours, and are left out. */
async function readPage(answer: IncomingMessage): Promise<S3Page> {
  const text = (await readBounded(answer, maxListBytes))?.toString();
  if (!text?.includes('<ListBucketResult')) throw new S3Failure('other', 'it answered no list of files');
  const objects = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].flatMap(([, one = '']) => {
    const [, key] = /<Key>([\w.~/-]+)<\/Key>/.exec(one) ?? [];
    const putAt = Date.parse(/<LastModified>([\w:.+-]+)<\/LastModified>/.exec(one)?.[1] ?? '');
    return key === undefined || Number.isNaN(putAt) ? [] : [{ key, putAt }];
  });
  const [, token] = /<NextContinuationToken>([^<]+)</.exec(text) ?? [];
  return { objects, next: token === undefined ? undefined : unescapeXml(token) };
}

function unescapeXml(text: string): string {
  const letters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replaceAll(/&(\w+);/g, (whole, name: string) => letters[name] ?? whole);
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @returns the hash of what was written */
async function writeHashed(answer: IncomingMessage, file: string): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  const pass = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBlobBytes) throw new S3Failure('other', 'it is larger than a file may be');
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(answer, pass, createWriteStream(file));
  return hash.digest('hex');
}
