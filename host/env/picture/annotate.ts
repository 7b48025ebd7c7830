import sharp from 'sharp';
import type { Box, Mark } from '../../../bridge/protocol/index.ts';
import { Canvas } from './canvas.ts';
import { colourOf, inkOn } from './colour.ts';
import { eachLitPixel } from './font.ts';
import { Ink } from './ink.ts';
import { placeLabels } from './place.ts';
import { leaderLineOf } from './leader-line.ts';

/** Pixels: at half the size still one. */
const line = 2;

/**
 * Draws a box and a number for every mark into a screenshot (Set-of-Marks).
 * @param png the screenshot
 * @param marks boxes in its pixels
 * @returns a PNG of the same size
 */
export async function annotate(
  png: Uint8Array,
  marks: readonly Pick<Mark, 'id' | 'box'>[],
): Promise<Uint8Array> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const canvas = new Canvas(data, info.width, info.height);
  const placed = placeLabels(marks, info, new Ink(data, info.width, info.height));
  for (const { id, box } of placed) canvas.frame(around(box), line, colourOf(id));
  for (const { id, box, label } of placed) {
    const tie = leaderLineOf(box, label);
    if (tie) canvas.line(tie.from, tie.to, line, colourOf(id));
  }
  // After all boxes and lines, so that none runs through a number.
  for (const { id, label } of placed) {
    const colour = colourOf(id);
    const ink = inkOn(colour);
    canvas.fill(label, colour);
    eachLitPixel(id, (x, y) => canvas.dot(label.x + x, label.y + y, ink));
  }
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  return sharp(data, { raw }).png({ compressionLevel: 1 }).toBuffer();
}

/** Half of a frame's line is outside of the element, clear of its text. */
function around({ x, y, width, height }: Box): Box {
  return { x: x - line / 2, y: y - line / 2, width: width + line, height: height + line };
}
