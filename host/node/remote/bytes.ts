import { finished } from 'node:stream/promises';
import { PwpError, readBounded } from '../../../bridge/lib/index.ts';
import type { ByteStream } from '../../../bridge/rpc/index.ts';

/** Writes all parts and the end. Resolves when the other side has read them, but for a window. */
export async function sendParts(stream: ByteStream, parts: readonly Uint8Array[]): Promise<void> {
  const sent = finished(stream, { readable: false });
  for (const part of parts) stream.write(part);
  stream.end();
  await sent;
}

/** Reads to the end. Errors: `too-large` for more than `mostBytes`. */
export async function readAll(stream: ByteStream, mostBytes: number): Promise<Buffer> {
  const all = await readBounded(stream, mostBytes);
  if (!all) throw new PwpError('too-large', `more than ${mostBytes} bytes came`);
  return all;
}

/** The parts that follow one another in `bytes`. Errors: `incomplete-transfer` if they are not all of it. */
export function splitParts(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const announced = sumOf(sizes);
  if (bytes.length !== announced)
    throw new PwpError('incomplete-transfer', `${bytes.length} bytes came, ${announced} were announced`);
  let at = 0;
  return sizes.map((size) => bytes.subarray(at, (at += size)));
}

export function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
