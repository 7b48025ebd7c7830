import type { Box } from '../../../bridge/protocol/index.ts';
import type { Point } from '../../../bridge/protocol/index.ts';

export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

/** Square pixels that two boxes share. */
export function measureOverlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

export function containsBox(outer: Box, inner: Box): boolean {
  return measureOverlap(outer, inner) === measureArea(inner);
}

export function measureArea({ width, height }: BoxSize): number {
  return width * height;
}

export function growBox({ x, y, width, height }: Box, across: number, down: number): Box {
  return { x: x - across, y: y - down, width: width + 2 * across, height: height + 2 * down };
}

/** The part inside the picture, in whole pixels; null if it is empty. */
export function clipBox(box: Box, picture: BoxSize): Box | null {
  const x = Math.max(0, Math.floor(box.x));
  const y = Math.max(0, Math.floor(box.y));
  const width = Math.min(picture.width, Math.ceil(box.x + box.width)) - x;
  const height = Math.min(picture.height, Math.ceil(box.y + box.height)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Pixels between two boxes across and down; 0 where they are level with each other. */
export function measureGaps(a: Box, b: Box): { readonly across: number; readonly down: number } {
  const gap = (from: number, size: number, at: number, length: number) =>
    Math.max(from - at - length, at - from - size, 0);
  return { across: gap(a.x, a.width, b.x, b.width), down: gap(a.y, a.height, b.y, b.height) };
}

/** Whether two boxes are at the same height: at least half of the lower one is at the height of the other. */
export function isSameHeight(a: Box, b: Box): boolean {
  const shared = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return shared * 2 >= Math.min(a.height, b.height);
}

/** The smallest box that contains all; an empty one without boxes. */
export function findBoundingBox(boxes: readonly Box[]): Box {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The line from an element to its number. */
export interface LeaderLine {
  readonly from: Point;
  readonly to: Point;
}

/** A number this near needs no line; in pixels. */
const nearPixels = 4;

/** The line from a number to its element; null if the number is beside it. */
export function findLeaderLine(box: Box, label: Box): LeaderLine | null {
  const { across, down } = measureGaps(label, box);
  if (across + down <= nearPixels) return null;
  const end = (one: Box, other: Box): Point => ({
    x: findNearest(one.x, one.width, other.x, other.width),
    y: findNearest(one.y, one.height, other.y, other.height),
  });
  return { from: end(box, label), to: end(label, box) };
}

/** A line without its first pixels, which lie on the frame of its element and on the frame's background. */
export function shortenLeaderLine({ from, to }: LeaderLine, pixels: number): LeaderLine {
  const part = Math.min(1, pixels / Math.hypot(to.x - from.x, to.y - from.y));
  return { from: { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }, to };
}

/** The area that a leader line covers, in whole pixels; for a slanted one, its bounding box. */
export function findCover({ from, to }: LeaderLine, thickness: number): Box {
  const [left, right] = from.x < to.x ? [from.x, to.x] : [to.x, from.x];
  const [top, bottom] = from.y < to.y ? [from.y, to.y] : [to.y, from.y];
  const [x, y] = [Math.floor(left - thickness / 2), Math.floor(top - thickness / 2)];
  return { x, y, width: Math.ceil(right - left) + thickness, height: Math.ceil(bottom - top) + thickness };
}

/** The nearest point of one stretch to another: the middle of their overlap, or its end towards the other. */
function findNearest(start: number, length: number, otherStart: number, otherLength: number): number {
  const low = Math.max(start, otherStart);
  const high = Math.min(start + length, otherStart + otherLength);
  if (low <= high) return (low + high) / 2;
  return otherStart > start ? start + length : start;
}
