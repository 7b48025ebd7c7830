import type { Box } from '../../../bridge/protocol/index.ts';
import { gaps } from './boxes.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The line from an element to its number. */
export interface LeaderLine {
  readonly from: Point;
  readonly to: Point;
}

/** A number this near needs no line; in pixels. */
const near = 4;

/** The line from a number to its element; null if the number is beside it. */
export function leaderLineOf(box: Box, label: Box): LeaderLine | null {
  const { across, down } = gaps(label, box);
  if (across + down <= near) return null;
  const end = (one: Box, other: Box): Point => ({
    x: nearest(one.x, one.width, other.x, other.width),
    y: nearest(one.y, one.height, other.y, other.height),
  });
  return { from: end(box, label), to: end(label, box) };
}

/** A line without its first pixels, which lie on the frame of its element and on the frame's background. */
export function beyond({ from, to }: LeaderLine, pixels: number): LeaderLine {
  const part = Math.min(1, pixels / Math.hypot(to.x - from.x, to.y - from.y));
  return { from: { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }, to };
}

/** The area that a leader line covers, in whole pixels; for a slanted one, its bounding box. */
export function coverOf({ from, to }: LeaderLine, thickness: number): Box {
  const [left, right] = from.x < to.x ? [from.x, to.x] : [to.x, from.x];
  const [top, bottom] = from.y < to.y ? [from.y, to.y] : [to.y, from.y];
  const [x, y] = [Math.floor(left - thickness / 2), Math.floor(top - thickness / 2)];
  return { x, y, width: Math.ceil(right - left) + thickness, height: Math.ceil(bottom - top) + thickness };
}

/** The nearest point of one stretch to another: the middle of their overlap, or its end towards the other. */
function nearest(start: number, length: number, otherStart: number, otherLength: number): number {
  const low = Math.max(start, otherStart);
  const high = Math.min(start + length, otherStart + otherLength);
  if (low <= high) return (low + high) / 2;
  return otherStart > start ? start + length : start;
}
