import sharp from 'sharp';
import type { Mark } from '../../../bridge/protocol/index.ts';
import type { Picture } from '../../node/index.ts';
import { draw } from './draw.ts';

/**
 * Draws a box and a number for every mark into a screenshot (Set-of-Marks).
 * @param picture the screenshot, or a view of it
 * @param marks boxes in its pixels
 * @returns a PNG of the same size
 */
export async function annotate(
  picture: Pick<Picture, 'bytes'>,
  marks: readonly Pick<Mark, 'id' | 'box'>[],
): Promise<Picture> {
  const { data, info } = await sharp(picture.bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  draw(data, info, marks);
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  const bytes = await sharp(data, { raw }).png({ compressionLevel: 1 }).toBuffer();
  return { bytes, mime: 'image/png', width: info.width, height: info.height };
}
