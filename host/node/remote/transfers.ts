import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { PwpError } from '../../../bridge/lib/index.ts';
import { openTemporaryFolder } from '../../lib/index.ts';
import { ErrorCode, RpcError, limits } from '../../../bridge/protocol/index.ts';
import type { ByteStream, ByteStreams, Direction } from '../../../bridge/rpc/index.ts';
import { readParts, sendParts, sumOf } from './bytes.ts';

/**
 * On the node's side: the bytes that belong to the requests of one connection, within bounds for all of them together.
 * Disposing it waits for the removal of its temporary files.
 */
export class Transfers implements AsyncDisposable {
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
    const size = sumOf(parts.map(({ byteLength }) => byteLength));
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
    const size = sumOf(sizes.map((each) => each ?? 0));
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
    const result = inTemporaryFolder(work);
    const over = result.catch(() => undefined).finally(() => this.#files.delete(over));
    this.#files.add(over);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#files);
  }
}

async function inTemporaryFolder<T>(work: (path: string) => Promise<T>): Promise<T> {
  await using folder = await openTemporaryFolder('file');
  return await work(join(folder.path, 'file'));
}
