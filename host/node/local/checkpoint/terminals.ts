import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';

/**
 * Bytes in a terminal's line that no program has read yet are written into it again by a restore, at a time when no
 * program can read, and line ends may grow by a character on the way. The kernel takes about 14 KiB, which is what a
 * program leaves that is faster than its reader, and then waits forever. In bytes.
 */
const mostWaiting = 8 * 1024;
/** The file's own mark, before its entries. */
const headBytes = 8;

/** Errors: `checkpoint-failed` if a terminal holds more than a restore could write. */
export async function requireRestorableTerminals(images: string): Promise<void> {
  const path = join(images, 'tty-data.img');
  const image = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  const most = image ? Math.max(...entriesOf(image)) : 0;
  if (most <= mostWaiting) return;
  throw new PwpError('checkpoint-failed', `a terminal holds ${most} bytes that no program has read yet`, {
    help: 'A program in it writes faster than it is read: stop its output for a moment and try again.',
  });
}

/** Sizes of the entries: each is a length and a message with a number of a few bytes and the waiting bytes. */
export function entriesOf(image: Buffer): number[] {
  const sizes: number[] = [];
  for (let at = headBytes; at + 4 <= image.length;) {
    const size = image.readUInt32LE(at);
    sizes.push(size);
    at += 4 + size;
  }
  return sizes;
}
