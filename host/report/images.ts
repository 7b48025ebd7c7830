import type { Sharp } from 'sharp';
import { usePicture } from '../record/index.ts';

/** One screen for a page: both pictures are `data:` addresses. */
export interface Picture {
  /** WebP in the size of the screen. */
  readonly full: string;
  /** WebP, small, for the strip. */
  readonly thumb: string;
}

const THUMB_WIDTH = 320;

/**
 * Re-encodes a screenshot. Errors: `bad-picture`. A third of the PNG's size, with text still sharp. Smart subsampling
 * would take six times as long, and the text would look the same.
 * @param name for errors
 */
export async function pictureOf(name: string, png: Uint8Array): Promise<Picture> {
  const made = await usePicture(name, png, (picture) => [
    picture().webp({ quality: 86, effort: 1 }).toBuffer(),
    small(picture()),
  ]);
  const [full = '', thumb = ''] = made.map(dataAddress);
  return { full, thumb };
}

/** A small WebP of a picture. Errors: `bad-picture`. @param name for errors */
export async function thumbOf(name: string, bytes: Uint8Array): Promise<Buffer> {
  const [thumb] = await usePicture(name, bytes, (picture) => [small(picture())]);
  return thumb ?? Buffer.alloc(0);
}

function small(picture: Sharp): Promise<Buffer> {
  return picture.resize({ width: THUMB_WIDTH, withoutEnlargement: true }).webp({ quality: 70 }).toBuffer();
}

function dataAddress(webp: Buffer): string {
  return `data:image/webp;base64,${webp.toString('base64')}`;
}
