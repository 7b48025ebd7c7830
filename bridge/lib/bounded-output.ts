import type { Readable } from 'node:stream';

/** Reads a stream to its end and keeps the first bytes of it, so that no program is blocked or buffered without bound. */
export class BoundedOutput {
  #truncated = false;
  #length = 0;
  readonly #chunks: Buffer[] = [];

  constructor(stream: Readable, maxBytes: number) {
    stream.on('error', () => stream.destroy());
    stream.on('data', (chunk: Buffer) => this.#take(chunk, maxBytes));
  }

  get truncated(): boolean {
    return this.#truncated;
  }

  /** What was kept, as UTF-8; a character cut by the bound is left out. */
  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: this.#truncated });
  }

  #take(chunk: Buffer, maxBytes: number): void {
    const kept = chunk.subarray(0, maxBytes - this.#length);
    this.#truncated ||= kept.length < chunk.length;
    this.#length += kept.length;
    if (kept.length > 0) this.#chunks.push(kept);
  }
}

/** All that a stream has, or undefined as soon as that is more than `maxBytes`; the stream is then destroyed. */
export async function readBounded(stream: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
