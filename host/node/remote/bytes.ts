import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PwpError, readBounded } from '../../../bridge/lib/index.ts';
import type { ByteStream } from '../../../bridge/rpc/index.ts';

/** Writes all parts and the end. Resolves when the other side has read all but the last window. */
export async function sendParts(
  stream: ByteStream,
  parts: readonly (Uint8Array | AsyncIterable<Uint8Array>)[],
): Promise<void> {
  await pipeline(Readable.from(chunksOf(parts)), stream);
}

async function* chunksOf(
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
export async function readParts(
  stream: ByteStream,
  sizes: readonly (number | null)[],
): Promise<(Uint8Array | AsyncIterable<Uint8Array>)[]> {
  const known = sizes.flatMap((size) => size ?? []);
  if (known.length === sizes.length) return splitParts(await readAll(stream, sumOf(known)), known);
  if (sizes.indexOf(null) !== sizes.length - 1)
    throw new PwpError('incomplete-transfer', 'only the last part can be of unknown size');
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const [first, rest] = await readStart(chunks, sumOf(known));
  return [...splitParts(first, known), restOf(rest, chunks)];
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

async function* restOf(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Uint8Array> {
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
  const announced = sumOf(sizes);
  if (bytes.length !== announced)
    throw new PwpError('incomplete-transfer', `${bytes.length} bytes came, ${announced} were announced`);
  let at = 0;
  return sizes.map((size) => bytes.subarray(at, (at += size)));
}

export function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
