import type { Box, Mark } from '../../../bridge/protocol/index.ts';
import type { Picture } from '../../node/index.ts';
import { findLeaderLine } from './box-geometry.ts';
import { eachLitPixel, LabelCanvas, pickInk, pickMarkColour } from './canvas.ts';
import { type PlacedLabel, placeLabels } from './label-placement.ts';
import { FrameBackground, PictureInk } from './picture-content.ts';

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
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(picture.bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  drawLabels(data, info, marks);
  const raw = { width: info.width, height: info.height, channels: 3 } as const;
  const bytes = await sharp(data, { raw }).png({ compressionLevel: 1 }).toBuffer();
  return { bytes, mime: 'image/png', width: info.width, height: info.height };
}

/** Pixels: at half the size still one. */
const frameLine = 2;

/**
 * Draws a box and a number for every mark into a picture.
 * @param rgb bytes R, G, B, row by row
 * @returns where each was drawn
 */
export function drawLabels(
  rgb: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  marks: readonly Pick<Mark, 'id' | 'box'>[],
): readonly PlacedLabel[] {
  const canvas = new LabelCanvas(rgb, width, height);
  const placed = placeLabels(marks, canvas, new PictureInk(rgb, width, height));
  const background = new FrameBackground(canvas);
  // All places are chosen before anything is drawn over the background.
  const lost = new Set(
    placed.filter(({ id, box }) => background.isLike(placeFrame(box), pickMarkColour(id))),
  );
  for (const one of placed) {
    const colour = pickMarkColour(one.id);
    if (lost.has(one)) canvas.frame(widenBox(placeFrame(one.box)), frameLine / 2, pickInk(colour));
    canvas.frame(placeFrame(one.box), frameLine, colour);
  }
  for (const one of placed) {
    const tie = findLeaderLine(one.box, one.label);
    if (!tie) continue;
    const colour = pickMarkColour(one.id);
    if (lost.has(one)) canvas.line(tie.from, tie.to, 2 * frameLine, pickInk(colour));
    canvas.line(tie.from, tie.to, frameLine, colour);
  }
  // After all boxes and lines, so that none runs through a number.
  for (const { id, label } of placed) {
    const colour = pickMarkColour(id);
    const ink = pickInk(colour);
    canvas.fill(label, colour);
    eachLitPixel(id, (x, y) => canvas.dot(label.x + x, label.y + y, ink));
  }
  return placed;
}

/** Half of a frame's line is outside of the element, clear of its text. */
function placeFrame({ x, y, width, height }: Box): Box {
  return { x: x - frameLine / 2, y: y - frameLine / 2, width: width + frameLine, height: height + frameLine };
}

function widenBox({ x, y, width, height }: Box): Box {
  return { x: x - 1, y: y - 1, width: width + 2, height: height + 2 };
}
