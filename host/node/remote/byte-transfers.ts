import { join } from 'node:path';
import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PwpError, readBounded } from '../../../bridge/lib/index.ts';
import { ErrorCode, limits, RpcError } from '../../../bridge/protocol/index.ts';
import type { ByteStream, ByteStreams, Direction } from '../../../bridge/rpc/index.ts';
import { openTemporaryFolder } from '../../lib/index.ts';

/**
 * On the node's side: the bytes that belong to the requests of one connection, within bounds for all of them together.
 * Disposing it waits for the removal of its temporary files.
 */
export class ByteTransfers implements AsyncDisposable {
  readonly #streams: ByteStreams;
  readonly #files = new Set<Promise<unknown>>();
  #answers = 0;
  #seeds = 0;

  constructor(streams: ByteStreams) {
    this.#streams = streams;
  }

  /** The stream that a request names; `signal` ends it. Errors: `Cancelled`. */
  accept(id: number, direction: Direction, signal: AbortSignal): ByteStream {
    const stream = this.#streams.accept(id, direction);
    if (stream) return addAbortSignal(signal, stream);
    throw new RpcError(ErrorCode.Cancelled, 'the caller has given its stream up');
  }

  /** Sends the bytes of an answer. Resolves when all but the last window has been read. Errors: `too-large`. */
  async answer(id: number, parts: readonly Uint8Array[], signal: AbortSignal): Promise<void> {
    const size = sumSizes(parts.map(({ byteLength }) => byteLength));
    if (this.#answers + size > limits.answersBytes) {
      const all = `answers under way have more than ${limits.answersBytes} bytes together`;
      throw new PwpError('too-large', `${size} bytes can't be handed over now: ${all}`);
    }
    this.#answers += size;
    try {
      await sendParts(this.accept(id, 'write', signal), parts);
    } finally {
      this.#answers -= size;
    }
  }

  /**
   * Reads archives of known sizes; the last may be of unknown size, and is read while it is used.
   * Errors: `seed-too-large`, `incomplete-transfer`.
   */
  async seeds(
    id: number,
    sizes: readonly (number | null)[],
    signal: AbortSignal,
  ): Promise<(Uint8Array | AsyncIterable<Uint8Array>)[]> {
    const size = sumSizes(sizes.map((each) => each ?? 0));
    if (this.#seeds + size > limits.seedsBytes)
      throw new PwpError('seed-too-large', `seeds have more than ${limits.seedsBytes} bytes together`);
    this.#seeds += size;
    try {
      return await readParts(this.accept(id, 'read', signal), sizes);
    } finally {
      this.#seeds -= size;
    }
  }

  /** Works with the path of a file that does not exist yet; a file that is there afterwards is removed. */
  async withFile<T>(work: (path: string) => Promise<T>): Promise<T> {
    const result = withTemporaryFile(work);
    const over = result.catch(() => undefined).finally(() => this.#files.delete(over));
    this.#files.add(over);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#files);
  }
}

async function withTemporaryFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  await using folder = await openTemporaryFolder('file');
  return await work(join(folder.path, 'file'));
}

/** Writes all parts and the end. Resolves when the other side has read all but the last window. */
export async function sendParts(
  stream: ByteStream,
  parts: readonly (Uint8Array | AsyncIterable<Uint8Array>)[],
): Promise<void> {
  await pipeline(Readable.from(joinParts(parts)), stream);
}

async function* joinParts(
  parts: readonly (Uint8Array | AsyncIterable<Uint8Array>)[],
): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Uint8Array) yield part;
    else yield* part;
  }
}

/**
 * Reads parts of known sizes; where the last size is null, that part is read from the stream while it is used.
 * Errors: `incomplete-transfer`.
 */
async function readParts(
  stream: ByteStream,
  sizes: readonly (number | null)[],
): Promise<(Uint8Array | AsyncIterable<Uint8Array>)[]> {
  const known = sizes.flatMap((size) => size ?? []);
  if (known.length === sizes.length) return splitParts(await readAll(stream, sumSizes(known)), known);
  if (sizes.indexOf(null) !== sizes.length - 1)
    throw new PwpError('incomplete-transfer', 'only the last part can be of unknown size');
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const [first, rest] = await readStart(chunks, sumSizes(known));
  return [...splitParts(first, known), readRest(rest, chunks)];
}

/** The first bytes, and what else came with the last of them. */
async function readStart(chunks: AsyncIterator<Buffer>, size: number): Promise<[Buffer, Buffer]> {
  const read: Buffer[] = [];
  let length = 0;
  while (length < size) {
    const next = await chunks.next();
    if (next.done)
      throw new PwpError('incomplete-transfer', `${length} bytes came, ${size} and more were announced`);
    read.push(next.value);
    length += next.value.length;
  }
  const all = Buffer.concat(read);
  return [all.subarray(0, size), all.subarray(size)];
}

async function* readRest(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/** Reads to the end. Errors: `too-large` for more than `mostBytes`. */
export async function readAll(stream: ByteStream, mostBytes: number): Promise<Buffer> {
  const all = await readBounded(stream, mostBytes);
  if (!all) throw new PwpError('too-large', `more than ${mostBytes} bytes came`);
  return all;
}

/** The parts that follow one another in `bytes`. Errors: `incomplete-transfer` if they are not all of it. */
export function splitParts(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const announced = sumSizes(sizes);
  if (bytes.length !== announced)
    throw new PwpError('incomplete-transfer', `${bytes.length} bytes came, ${announced} were announced`);
  let at = 0;
  return sizes.map((size) => bytes.subarray(at, (at += size)));
}

function sumSizes(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
