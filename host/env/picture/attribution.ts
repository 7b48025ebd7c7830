import type { Box } from '../../../bridge/protocol/index.ts';
import { gaps, holds } from './boxes.ts';

/** Up to this height or width, in pixels, a box is one thing, and a number anywhere in it belongs to it. */
const thin = 54;
/** Pixels by which every other box must be farther away. */
const slack = 1;
/** Nearer than any box that a number only touches. */
const inside = -1 - slack;
/** Pixels that a box in another row counts as farther: rows are read from left to right. */
const otherRow = 4;
/** Pixels: a shorter line is lost between the frames. */
const shortest = 8;

/**
 * Whether a viewer attributes a number to its own element, among the boxes of all others: it is in that box, or nearer to
 * it than to any other; or a visible line leads there, and the number is not at another element. Of nested boxes, the
 * inner one counts. A large box is the background of its content: only numbers at its frame are near it.
 */
export function isOwn(label: Box, own: Box, others: readonly Box[]): boolean {
  const led = isLed(label, own);
  const reach = slack + (led ? 0 : nearness(label, own));
  return !others.some((other) => {
    if (isBeyond(label, other, reach)) return false;
    const its = nearness(label, other);
    if (led) return its <= reach && isThing(other) && !holds(other, own);
    return its <= reach && (its < reach - slack || !holds(other, own));
  });
}

/** Whether a line that is long enough to be seen leads from a number to its element. */
export function isLed(label: Box, own: Box): boolean {
  const { across, down } = gaps(label, own);
  return Math.hypot(across, down) >= shortest;
}

/** Whether a box is one thing, not the background of others. */
export function isThing({ width, height }: Box): boolean {
  return Math.min(width, height) <= thin;
}

/** Pixels between a number and a box: negative inside a box that is one thing, to the frame of a larger one. */
function nearness(label: Box, box: Box): number {
  if (!isCentreIn(label, box)) {
    const { across, down } = gaps(label, box);
    return across + down + (isAtItsHeight(label, box) ? 0 : otherRow);
  }
  if (isThing(box)) return inside;
  const right = box.x + box.width - label.x - label.width;
  const below = box.y + box.height - label.y - label.height;
  return Math.max(0, Math.min(label.x - box.x, label.y - box.y, right, below));
}

/** Whether two boxes are more than this many pixels apart: most are. */
function isBeyond(a: Box, b: Box, reach: number): boolean {
  return (
    b.x - a.x - a.width > reach ||
    a.x - b.x - b.width > reach ||
    b.y - a.y - a.height > reach ||
    a.y - b.y - b.height > reach
  );
}

function isCentreIn(label: Box, box: Box): boolean {
  const x = label.x + label.width / 2 - box.x;
  return x >= 0 && x <= box.width && isAtItsHeight(label, box);
}

function isAtItsHeight(label: Box, box: Box): boolean {
  const y = label.y + label.height / 2 - box.y;
  return y >= 0 && y <= box.height;
}
