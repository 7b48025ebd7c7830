import type { Frame } from './pixels.ts';

/** The pointer's picture as XFixes reports it: `x`, `y` of its hot spot, rows of premultiplied ARGB words. */
export interface CursorPicture {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly xhot: number;
  readonly yhot: number;
  readonly cursorImage: Buffer;
}

/**
 * Draws the pointer into a frame, rounding as the X server does, so that the result equals what a screen shows. Throws
 * if its picture has not as many pixels as it says.
 */
export function drawCursor(frame: Frame, cursor: CursorPicture): void {
  const { width, height, cursorImage } = cursor;
  if (cursorImage.length !== width * height * 4)
    throw new Error(`its pointer is not ${width}x${height} pixels`);
  const left = cursor.x - cursor.xhot;
  const top = cursor.y - cursor.yhot;
  for (let row = Math.max(0, -top); row < cursor.height && top + row < frame.height; row += 1) {
    for (let column = Math.max(0, -left); column < cursor.width && left + column < frame.width; column += 1) {
      const source = cursor.cursorImage.readUInt32LE((row * cursor.width + column) * 4);
      const at = (top + row) * frame.width + left + column;
      frame.words[at] = over(source, frame.words[at] ?? 0);
    }
  }
}

function over(source: number, below: number): number {
  const rest = 255 - (source >>> 24);
  const red = ((source >>> 16) & 0xff) + scaled((below >>> 16) & 0xff, rest);
  const green = ((source >>> 8) & 0xff) + scaled((below >>> 8) & 0xff, rest);
  const blue = (source & 0xff) + scaled(below & 0xff, rest);
  return (Math.min(red, 255) << 16) | (Math.min(green, 255) << 8) | Math.min(blue, 255);
}

function scaled(value: number, by: number): number {
  const product = value * by + 0x80;
  return (product + (product >> 8)) >> 8;
}
