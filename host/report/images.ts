import sharp from 'sharp';

/** One screen for a page: both pictures are `data:` addresses. */
export interface Picture {
  /** WebP in the size of the screen. */
  readonly full: string;
  /** WebP, small, for the strip. */
  readonly thumb: string;
}

const THUMB_WIDTH = 320;

/**
 * Re-encodes a screenshot: a third of the PNG's size with its text still sharp. Smart subsampling would take six times
 * as long, and the text looks the same.
 */
export async function pictureOf(png: Uint8Array): Promise<Picture> {
  const full = sharp(png).webp({ quality: 86, effort: 1 }).toBuffer();
  const thumb = thumbOf(png);
  return { full: dataAddress(await full), thumb: dataAddress(await thumb) };
}

/** A small WebP of a picture. */
export function thumbOf(picture: Uint8Array): Promise<Buffer> {
  return sharp(picture)
    .resize({ width: THUMB_WIDTH, withoutEnlargement: true })
    .webp({ quality: 70 })
    .toBuffer();
}

function dataAddress(webp: Buffer): string {
  return `data:image/webp;base64,${webp.toString('base64')}`;
}
