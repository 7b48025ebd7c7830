import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../../bridge/lib/index.ts';

/**
 * A descriptor that one process has sent to another over a Unix socket, and that was not received yet, is not restored
 * right: where CRIU has the receiver make both ends of the socket, it sends the descriptor that has the same number
 * there, which may be any. Chromium's processes send each other shared memory all the time, and a window that gets a
 * socket in its place never answers again. Such a message is in flight for moments only.
 *
 * The format is CRIU's `images/sk-packet.proto`: after the file's own mark come entries, each a length, a message and
 * the bytes that were in the socket.
 */
const headBytes = 8;
const lengthField = 2;
const descriptorsField = 4;

/** Errors: `checkpoint-failed` if a descriptor was in flight between two programs. */
export async function requireNothingInFlight(images: string): Promise<void> {
  const image = await readFile(join(images, 'sk-queues.img')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!image || !holdsDescriptors(image)) return;
  throw new PwpError(
    'checkpoint-failed',
    'a program has sent an open file to another one, which has not received it yet',
    { help: 'This lasts for moments, unless the other program has stopped. Try again.' },
  );
}

/** Errors: `RangeError` for a file that is cut off. */
export function holdsDescriptors(image: Buffer): boolean {
  for (let at = headBytes; at < image.length;) {
    const start = at + 4;
    const end = start + image.readUInt32LE(at);
    let payload = 0;
    for (const { field, value } of fieldsOf(image, start, end)) {
      if (field === descriptorsField) return true;
      if (field === lengthField) payload = value;
    }
    at = end + payload;
  }
  return false;
}

/** The fields of a message in Protocol Buffers. `value` is the number, or the length of the bytes that follow. */
function* fieldsOf(image: Buffer, start: number, end: number): Generator<{ field: number; value: number }> {
  for (let at = start; at < end;) {
    const key = variableLength(image, at);
    const { value, next } = variableLength(image, key.next);
    yield { field: Math.floor(key.value / 8), value };
    const isBytes = key.value % 8 === 2;
    at = isBytes ? next + value : next;
  }
}

function variableLength(image: Buffer, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, unit = 1; ; at += 1, unit *= 128) {
    const byte = image.readUInt8(at);
    value += (byte % 128) * unit;
    if (byte < 128) return { value, next: at + 1 };
  }
}
