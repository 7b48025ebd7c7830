import type { Readable } from 'node:stream';

/** Reads a stream to its end and keeps its first and its last bytes, however much it has. */
export class OutputEnds {
  readonly #most: number;
  readonly #first: Buffer[] = [];
  #firstLength = 0;
  #last: Buffer = Buffer.alloc(0);
  /** Bytes between the two. */
  #leftOut = 0;

  /** @param most bytes to keep of each end */
  constructor(stream: Readable, most: number) {
    this.#most = most;
    stream.on('error', () => stream.destroy());
    stream.on('data', (chunk: Buffer) => this.#take(chunk));
  }

  /** As UTF-8, with a line for what is left out. */
  text(): string {
    const gap = this.#leftOut > 0 ? `\n… ${this.#leftOut} bytes are left out …\n` : '';
    return `${Buffer.concat(this.#first).toString('utf8')}${gap}${this.#last.toString('utf8')}`;
  }

  #take(chunk: Buffer): void {
    const first = chunk.subarray(0, this.#most - this.#firstLength);
    if (first.length > 0) this.#first.push(first);
    this.#firstLength += first.length;
    if (first.length === chunk.length) return;
    const last = Buffer.concat([this.#last, chunk.subarray(first.length)]);
    this.#last = last.subarray(-this.#most);
    this.#leftOut += last.length - this.#last.length;
  }
}
