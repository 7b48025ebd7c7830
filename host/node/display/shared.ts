import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import { randomUUID } from 'node:crypto';

/**
 * Memory shared with an X server: a file on tmpfs that has no name any more, so that nothing is left of it when both
 * sides have closed it. The server maps it; this side reads it.
 */
export class SharedMemory implements Disposable {
  readonly fd: number;
  #open = true;

  constructor(bytes: number) {
    const path = `/dev/shm/pwp-${randomUUID()}`;
    this.fd = openSync(path, 'wx+', 0o600);
    try {
      unlinkSync(path);
      ftruncateSync(this.fd, bytes);
    } catch (error) {
      this[Symbol.dispose]();
      throw error;
    }
  }

  /** Reads from the start until `into` is full. */
  read(into: Uint8Array): void {
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
