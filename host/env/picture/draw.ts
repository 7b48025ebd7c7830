import type { Box, Mark } from '../../../bridge/protocol/index.ts';
import { Background } from './background.ts';
import { Canvas } from './canvas.ts';
import { colourOf, inkOn } from './colour.ts';
import { eachLitPixel } from './font.ts';
import { Ink } from './ink.ts';
import { leaderLineOf } from './leader-line.ts';
import { placeLabels, type Placed } from './place.ts';

/** Pixels: at half the size still one. */
const line = 2;

/**
 * Draws a box and a number for every mark into a picture.
 * @param rgb bytes R, G, B, row by row
 * @returns where each was drawn
 */
export function draw(
  rgb: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
  marks: readonly Pick<Mark, 'id' | 'box'>[],
): readonly Placed[] {
  const canvas = new Canvas(rgb, width, height);
  const placed = placeLabels(marks, canvas, new Ink(rgb, width, height));
  const background = new Background(canvas);
  // All places are chosen before anything is drawn over the background.
  const lost = new Set(placed.filter(({ id, box }) => background.isLike(around(box), colourOf(id))));
  for (const one of placed) {
    const colour = colourOf(one.id);
    if (lost.has(one)) canvas.frame(wider(around(one.box)), line / 2, inkOn(colour));
    canvas.frame(around(one.box), line, colour);
  }
  for (const one of placed) {
    const tie = leaderLineOf(one.box, one.label);
    if (!tie) continue;
    const colour = colourOf(one.id);
    if (lost.has(one)) canvas.line(tie.from, tie.to, 2 * line, inkOn(colour));
    canvas.line(tie.from, tie.to, line, colour);
  }
  // After all boxes and lines, so that none runs through a number.
  for (const { id, label } of placed) {
    const colour = colourOf(id);
    const ink = inkOn(colour);
    canvas.fill(label, colour);
    eachLitPixel(id, (x, y) => canvas.dot(label.x + x, label.y + y, ink));
  }
  return placed;
}

/** Half of a frame's line is outside of the element, clear of its text. */
function around({ x, y, width, height }: Box): Box {
  return { x: x - line / 2, y: y - line / 2, width: width + line, height: height + line };
}

function wider({ x, y, width, height }: Box): Box {
  return { x: x - 1, y: y - 1, width: width + 2, height: height + 2 };
}
