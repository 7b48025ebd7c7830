/** Pieces shorter than this are copied together. */
const blockBytes = 16 * 1024;

/**
 * Bytes that have not been read yet. Small pieces share a block: a peer that sends single bytes must neither cost an
 * object for each nor keep the large messages alive that they came in.
 */
export class Inbox {
  readonly #full: Buffer[] = [];
  #block: Buffer | undefined;
  #used = 0;

  add(bytes: Buffer): void {
    if (bytes.length >= blockBytes) {
      this.#seal();
      this.#full.push(bytes);
      return;
    }
    if (this.#used + bytes.length > blockBytes) this.#seal();
    this.#block ??= Buffer.allocUnsafeSlow(blockBytes);
    bytes.copy(this.#block, this.#used);
    this.#used += bytes.length;
  }

  /** The oldest bytes, as many as are contiguous. */
  take(): Buffer | undefined {
    if (this.#full.length === 0) this.#seal();
    return this.#full.shift();
  }

  clear(): void {
    this.#full.length = 0;
    this.#block = undefined;
    this.#used = 0;
  }

  #seal(): void {
    if (this.#block && this.#used > 0) this.#full.push(this.#block.subarray(0, this.#used));
    this.#block = undefined;
    this.#used = 0;
  }
}
