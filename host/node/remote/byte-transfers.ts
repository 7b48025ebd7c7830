import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { PwpError, readBounded } from '../../../bridge/lib/index.ts';
import { type BytePart, ErrorCode, limits, RpcError } from '../../../bridge/protocol/index.ts';
import type { ByteStream, ByteStreams, Direction } from '../../../bridge/rpc/index.ts';

/** Bytes of a call. Chunks are read while they are used. */
export type SentBytes = Uint8Array | AsyncIterable<Uint8Array>;

/** On the serving side: the bytes that belong to the calls of one connection, within bounds for all of them together. */
export class ByteTransfers {
  readonly #streams: ByteStreams;
  #answers = 0;
  #seeds = 0;

  constructor(streams: ByteStreams) {
    this.#streams = streams;
  }

  /** The stream that a call names; `signal` ends it. Errors: `Cancelled`, `InvalidParams`. */
  accept(id: number | undefined, direction: Direction, signal: AbortSignal): ByteStream {
    if (id === undefined) throw new RpcError(ErrorCode.InvalidParams, 'the call names no stream');
    const stream = this.#streams.accept(id, direction);
    if (stream) return addAbortSignal(signal, stream);
    throw new RpcError(ErrorCode.Cancelled, 'the caller has given its stream up');
  }

  /** Sends the bytes of an answer. Resolves when all but the last window has been read. Errors: `too-large`. */
  async answer(
    stream: ByteStream,
    parts: readonly BytePart[],
    contents: readonly SentBytes[],
  ): Promise<void> {
    const size = sumSizes(parts);
    if (this.#answers + size > limits.answersBytes) {
      const all = `answers under way have more than ${limits.answersBytes} bytes together`;
      throw new PwpError('too-large', `${size} bytes can't be handed over now: ${all}`);
    }
    this.#answers += size;
    try {
      await sendBytes(stream, contents);
    } finally {
      this.#answers -= size;
    }
  }

  /**
   * Reads parts of known sizes; the last may be of unknown size, and is read while it is used.
   * Errors: `seed-too-large`, `incomplete-transfer`.
   */
  async receive(stream: ByteStream, parts: readonly BytePart[]): Promise<SentBytes[]> {
    const size = sumSizes(parts);
    if (this.#seeds + size > limits.seedsBytes)
      throw new PwpError('seed-too-large', `seeds have more than ${limits.seedsBytes} bytes together`);
    this.#seeds += size;
    try {
      return await readParts(stream, parts);
    } finally {
      this.#seeds -= size;
    }
  }
}

/** Writes all of them and the end. Resolves when the other side has read all but the last window. */
export async function sendBytes(stream: ByteStream, contents: readonly SentBytes[]): Promise<void> {
  await pipeline(Readable.from(joinBytes(contents)), stream);
}

async function* joinBytes(contents: readonly SentBytes[]): AsyncGenerator<Uint8Array> {
  for (const content of contents) {
    if (content instanceof Uint8Array) yield content;
    else yield* content;
  }
}

async function readParts(stream: ByteStream, parts: readonly BytePart[]): Promise<SentBytes[]> {
  if (parts.slice(0, -1).some(({ bytes }) => bytes === null))
    throw new PwpError('incomplete-transfer', 'only the last part can be of unknown size');
  const [size, chunks] = [sumSizes(parts), stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>];
  const read: Buffer[] = [];
  for (let length = 0; length < size; length += read.at(-1)?.length ?? 0) {
    const next = await chunks.next();
    if (next.done) throw new PwpError('incomplete-transfer', `${length} bytes came, ${size} were announced`);
    read.push(next.value);
  }
  const all = Buffer.concat(read);
  const rest = readRest(all.subarray(size), chunks);
  const whole = splitBytes(all.subarray(0, size), parts);
  if (parts.at(-1)?.bytes === null) return [...whole.slice(0, -1), rest];
  for await (const { length } of rest)
    throw new PwpError('too-large', `${length} bytes and more came after those that were announced`);
  return whole;
}

async function* readRest(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

/** Reads to the end. Errors: `too-large`. */
export async function readAnswer(stream: ByteStream): Promise<Buffer> {
  const all = await readBounded(stream, limits.answersBytes);
  if (!all) throw new PwpError('too-large', `more than ${limits.answersBytes} bytes came`);
  return all;
}

/** The parts that follow one another in `bytes`. Errors: `incomplete-transfer` if they are not all of it. */
export function splitBytes(bytes: Buffer, parts: readonly BytePart[]): Buffer[] {
  const announced = sumSizes(parts);
  if (bytes.length !== announced)
    throw new PwpError('incomplete-transfer', `${bytes.length} bytes came, ${announced} were announced`);
  let at = 0;
  return parts.map(({ bytes: size }) => bytes.subarray(at, (at += size ?? 0)));
}

function sumSizes(parts: readonly BytePart[]): number {
  return parts.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
}
