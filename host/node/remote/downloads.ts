import { PwpError } from '../../../bridge/lib/index.ts';
import { limits, type WireBytes } from '../../../bridge/protocol/index.ts';

/** Answers that are too large for one message, until they are fetched. */
export class Downloads {
  readonly #kept = new Map<number, Buffer>();
  #next = 1;
  #total = 0;

  /** As it goes over the wire: itself, or the number that it is fetched by. Errors: `too-large`. */
  add(content: Uint8Array): WireBytes {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (bytes.length <= limits.inlineBytes) return { base64: bytes.toString('base64') };
    if (this.#total + bytes.length > limits.downloadsBytes) {
      const all = `answers under way have more than ${limits.downloadsBytes} bytes together`;
      throw new PwpError('too-large', `${bytes.length} bytes can't be handed over now: ${all}`);
    }
    const download = this.#next++;
    this.#kept.set(download, bytes);
    this.#total += bytes.length;
    return { download, size: bytes.length };
  }

  /** A piece; the last one forgets the whole. Errors: `no-such-download`. */
  piece(download: number, at: number): Buffer {
    const bytes = this.#kept.get(download);
    if (!bytes) throw new PwpError('no-such-download', `there is no download ${download}`);
    const end = at + limits.uploadBytes;
    if (end >= bytes.length) this.forget(download);
    return bytes.subarray(at, end);
  }

  /** A no-op for one that is gone. */
  forget(download: number): void {
    this.#total -= this.#kept.get(download)?.length ?? 0;
    this.#kept.delete(download);
  }
}
