import { open } from 'node:fs/promises';
import type { LargeFile } from '../large-file.ts';
import type { Readable } from './contents.ts';

/** A file in parts, each with the beginning of the next one. */
export async function* largeParts(
  { path, from, bytes }: LargeFile,
  size: { readonly bytes: number; readonly overlap: number },
): AsyncGenerator<Readable, void, void> {
  await using file = await open(from);
  for (let position = 0; position < bytes; position += size.bytes) {
    const part = Buffer.alloc(Math.min(size.bytes + size.overlap, bytes - position));
    const { bytesRead } = await file.read({ buffer: part, position });
    yield { path: `/workspace/${path}`, bytes: part.subarray(0, bytesRead) };
  }
}
