import type { Box } from '../../../bridge/protocol/index.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Square pixels that two boxes share. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

export function holds(outer: Box, inner: Box): boolean {
  return overlap(outer, inner) === areaOf(inner);
}

export function areaOf({ width, height }: Size): number {
  return width * height;
}

export function grow({ x, y, width, height }: Box, across: number, down: number): Box {
  return { x: x - across, y: y - down, width: width + 2 * across, height: height + 2 * down };
}

/** The part inside the picture, in whole pixels; null if it is empty. */
export function clip(box: Box, picture: Size): Box | null {
  const x = Math.max(0, Math.floor(box.x));
  const y = Math.max(0, Math.floor(box.y));
  const width = Math.min(picture.width, Math.ceil(box.x + box.width)) - x;
  const height = Math.min(picture.height, Math.ceil(box.y + box.height)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Pixels between two boxes across and down; 0 where they are level with each other. */
export function gaps(a: Box, b: Box): { readonly across: number; readonly down: number } {
  const gap = (from: number, size: number, at: number, length: number) =>
    Math.max(from - at - length, at - from - size, 0);
  return { across: gap(a.x, a.width, b.x, b.width), down: gap(a.y, a.height, b.y, b.height) };
}

/** Whether two boxes are at the same height: at least half of the lower one is at the height of the other. */
export function isLevel(a: Box, b: Box): boolean {
  const shared = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return shared * 2 >= Math.min(a.height, b.height);
}

/** The smallest box that contains all; an empty one without boxes. */
export function around(boxes: readonly Box[]): Box {
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
