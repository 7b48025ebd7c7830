import { closeSync, fstatSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

/**
 * Memory shared with an X server: a file on tmpfs whose name is already removed, so that nothing is left of it when
 * both sides have closed it. The server maps it; this side reads it.
 */
export class SharedMemory implements Disposable {
  readonly fd: number;
  readonly #bytes: number;
  #open = true;

  /** @param folder on tmpfs */
  constructor(folder: string, bytes: number) {
    const path = join(folder, `pwp-${randomUUID()}`);
    this.#bytes = bytes;
    this.fd = openSync(path, 'wx+', 0o600);
    try {
      unlinkSync(path);
      ftruncateSync(this.fd, bytes);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Reads from the start until `into` is full. Throws if the server has changed its size, which it could. */
  read(into: Uint8Array): void {
    const { size } = fstatSync(this.fd);
    if (size !== this.#bytes) throw new Error(`its shared memory has ${size} bytes, not ${this.#bytes}`);
    let done = 0;
    while (done < into.byteLength) {
      const count = readSync(this.fd, into, done, into.byteLength - done, done);
      if (count === 0) throw new Error('shared memory is shorter than the screen');
      done += count;
    }
  }

  [Symbol.dispose](): void {
    if (this.#open) closeSync(this.fd);
    this.#open = false;
  }
}
