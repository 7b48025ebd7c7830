import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type Cancellable, neverAborted, pause, readBounded } from '../../../bridge/lib/index.ts';
import { makeS3Error, readNetworkError, readS3Refusal, S3Failure } from './s3-failures.ts';
import type { S3Place } from './s3-place.ts';

/** Times of a client, in milliseconds. */
export interface S3Times {
  /** How long a server is waited for that does not answer, or not with success. */
  readonly patienceMs: number;
  /** The longest silence while a request or an answer is under way. */
  readonly silenceMs: number;
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** What it is for: `get files/ab.tar from`. */
  readonly operation: string;
  /** With the store's prefix. Empty for the bucket. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent from its beginning with each try. */
  readonly body?: { readonly file: string; readonly bytes: number; readonly sha256: string };
}

/** How often something is sent or fetched that arrives damaged. */
const mostDamaged = 3;
/** Milliseconds between two tries: at first, and at most. */
const [firstWaitMs, longestWaitMs] = [500, 15_000];
/** An answer that says why a request failed is shorter. */
const maxRefusalBytes = 64 * 1024;
const emptySha256 = createHash('sha256').digest('hex');

/**
 * Sends a request, again and again while the reason why it fails may pass. Errors: those of {@link makeS3Error}.
 * @returns what `read` makes of the answer; null if there is no such object
 */
export async function askS3<T>(
  place: S3Place,
  request: S3Request,
  read: (answer: IncomingMessage) => T | Promise<T>,
  { patienceMs, silenceMs, signal = neverAborted }: S3Times & Cancellable,
): Promise<T | null> {
  let until: number | undefined;
  let damaged = 0;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await askOnce(place, request, read, silenceMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      const failure = readNetworkError(error);
      if (!failure) throw error;
      // From the first failure on: a transfer may have taken longer before it broke.
      until ??= Date.now() + patienceMs;
      if (failure.kind === 'damaged') damaged += 1;
      const isOver = damaged >= mostDamaged || Date.now() + waitMs > until;
      if (isOver || !isWorthRetrying(failure)) throw makeS3Error(place, request.operation, failure);
    }
    // Not all at the same time.
    await pause(waitMs * (0.5 + Math.random() / 2), signal);
  }
}

function isWorthRetrying({ kind }: S3Failure): boolean {
  return kind === 'passing' || kind === 'damaged';
}

async function askOnce<T>(
  place: S3Place,
  request: S3Request,
  read: (answer: IncomingMessage) => T | Promise<T>,
  silenceMs: number,
  signal: AbortSignal,
): Promise<T | null> {
  const answer = await send(place, request, silenceMs, signal);
  try {
    const { statusCode = 0, headers } = answer;
    if (statusCode >= 200 && statusCode < 300) return await read(answer);
    const text = (await readBounded(answer, maxRefusalBytes))?.toString() ?? '';
    const refusal = readS3Refusal(statusCode, headers, text);
    if (refusal.kind === 'missing' && request.method !== 'PUT') return null;
    throw refusal;
  } finally {
    // The connection is kept for the next request, unless there is more to come.
    if (answer.readableLength > 0 || !answer.complete) answer.destroy();
    else answer.resume();
  }
}

/** Not by undici 7: it ends the process if a server closes a connection whose answer is read slowly. */
async function send(
  { url: bucket, region, keys }: S3Place,
  { method, key, query = {}, headers = {}, body }: S3Request,
  silenceMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { AwsV4Signer } = await import('aws4fetch');
  const url = new URL(`${bucket}/${key}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  // The hash is signed: a server refuses a body that is cut or was changed.
  const signed = await new AwsV4Signer({
    ...{ ...keys, method, region, service: 's3', url: url.href },
    headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? emptySha256 },
  }).sign();
  const { request, agent } = openAgent(url);
  const asked = request(url, {
    ...{ method, agent, signal, timeout: silenceMs },
    headers: {
      ...Object.fromEntries(signed.headers),
      ...(method === 'PUT' && { 'content-length': String(body?.bytes ?? 0) }),
    },
  });
  const answering = waitForAnswer(asked, silenceMs);
  if (body)
    pipeline(createReadStream(body.file), asked).catch((error: unknown) => asked.destroy(error as Error));
  else asked.end();
  return await answering;
}

/** A server may answer before it has read all: then the rest is not sent. */
function waitForAnswer(asked: ClientRequest, silenceMs: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    asked.on('response', (one) => {
      answer = one.once('end', () => asked.writableFinished || asked.destroy());
      resolve(one);
    });
    asked.on('error', reject);
    asked.on('timeout', () =>
      (answer ?? asked).destroy(new S3Failure('passing', `it was silent for ${silenceMs} ms`)),
    );
  });
}

const agents = new Map<string, Agent>();

/** Keeps connections, and goes through the proxy that `HTTPS_PROXY` and `NO_PROXY` name, as Node can from 24 on. */
function openAgent({ protocol }: URL) {
  // Not imported: an import reads each of the module's exports, of which one loads all of `fetch`.
  const name = protocol === 'https:' ? 'node:https' : 'node:http';
  const { request, Agent } = process.getBuiltinModule(name);
  const agent = agents.get(name) ?? new Agent({ keepAlive: true, proxyEnv: process.env });
  agents.set(name, agent);
  return { request, agent };
}
