import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { PwpError, messageOf } from '../../bridge/lib/index.ts';
import { readForeign } from '../lib/index.ts';
import { mostPictureBytes } from './files.ts';

/** The maximum pixels of a decoded picture: more than the largest screen has. A small file may claim any number. */
const mostPixels = 40_000_000;

/**
 * The bytes of a picture of a record. Errors: `bad-record`.
 * @param path below the record's folder; links that lead out are not followed
 */
export async function readFrame(folder: string, path: string): Promise<Buffer> {
  return await readForeign(folder, path, mostPictureBytes).catch((cause: unknown) => {
    throw new PwpError('bad-record', `${join(folder, path)} can't be read: ${messageOf(cause)}`, { cause });
  });
}

/** The first bytes of picture formats. No other format is decoded: some are programs, and name further files. */
const beginnings: readonly (readonly number[])[] = [
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x52, 0x49, 0x46, 0x46],
  [0x47, 0x49, 0x46, 0x38],
];

/**
 * Decodes a picture of a record, which may be any file. Errors: `bad-picture`, also for one with too many pixels.
 * @param name for errors
 * @param use everything that is done with it; must reject only when all of that has ended
 */
export async function usePicture<T>(
  name: string,
  bytes: Uint8Array,
  use: (picture: () => Sharp) => readonly Promise<T>[],
): Promise<T[]> {
  const isPicture = beginnings.some((beginning) => beginning.every((byte, at) => bytes[at] === byte));
  if (!isPicture) throw new PwpError('bad-picture', `${name} is not a picture in PNG, JPEG, WebP or GIF`);
  const ends = await Promise.allSettled(use(() => sharp(bytes, { limitInputPixels: mostPixels })));
  return ends.map((end) => {
    if (end.status === 'fulfilled') return end.value;
    const cause: unknown = end.reason;
    throw new PwpError('bad-picture', `${name} can't be read: ${messageOf(cause)}`, { cause });
  });
}
