import sharp from 'sharp';
import type { Mark } from '../../../bridge/protocol/index.ts';
import { draw } from './draw.ts';

/**
 * Draws a box and a number for every mark into a screenshot (Set-of-Marks).
 * @param image the screenshot, or a view of it: PNG, JPEG or WebP
 * @param marks boxes in its pixels
 * @returns a PNG of the same size
 */
export async function annotate(
  image: Uint8Array,
  marks: readonly Pick<Mark, 'id' | 'box'>[],
): Promise<Uint8Array> {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  draw(data, info, marks);
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  return sharp(data, { raw }).png({ compressionLevel: 1 }).toBuffer();
}
