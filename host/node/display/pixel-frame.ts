import type { CursorImage } from 'x11';
import type { Box } from '../../../bridge/protocol/index.ts';

/** Rows of 32-bit words, RRGGBB in the lower 24 bits, as the X server keeps them. */
export interface PixelFrame {
  readonly width: number;
  readonly height: number;
  readonly words: Uint32Array;
}

export function createPixelFrame(width: number, height: number): PixelFrame {
  return { width, height, words: new Uint32Array(width * height) };
}

/** The smallest box that holds every difference of two frames of one size; null when they are equal. */
export function findChangedBox(before: PixelFrame, after: PixelFrame): Box | null {
  const { width, height } = after;
  const a = viewFrameBytes(before);
  const b = viewFrameBytes(after);
  const same = (y: number) =>
    a.compare(b, y * width * 4, (y + 1) * width * 4, y * width * 4, (y + 1) * width * 4) === 0;
  let top = 0;
  while (top < height && same(top)) top += 1;
  if (top === height) return null;
  let bottom = height - 1;
  while (same(bottom)) bottom -= 1;
  const { left, right } = findChangedColumns(before, after, top, bottom);
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function findChangedColumns(
  before: PixelFrame,
  after: PixelFrame,
  top: number,
  bottom: number,
): { left: number; right: number } {
  const { width, words } = after;
  let left = width;
  let right = -1;
  for (let y = top; y <= bottom; y += 1) {
    const row = y * width;
    let x = 0;
    while (x < left && words[row + x] === before.words[row + x]) x += 1;
    if (x < left) left = x;
    x = width - 1;
    while (x > right && words[row + x] === before.words[row + x]) x -= 1;
    if (x > right) right = x;
  }
  return { left, right };
}

/**
 * Packs rows of a frame into bytes R, G, B.
 * @param rgb the bytes of the whole frame; rows outside stay as they are
 */
export function packRows({ words, width }: PixelFrame, rgb: Uint8Array, top: number, height: number): void {
  // Begin on a group of four pixels, which may take in a few of the row above.
  const start = top * width - ((top * width) % 4);
  packPixels(words.subarray(start, (top + height) * width), rgb, start * 3);
}

/** The pixels of a region that is within the frame, and no others, as bytes R, G, B. */
export function packRegion({ words, width }: PixelFrame, region: Box): Uint8Array {
  const rgb = Buffer.allocUnsafeSlow(region.width * region.height * 3);
  // Rows over the whole width follow each other.
  const [rows, length] = region.width === width ? [1, width * region.height] : [region.height, region.width];
  for (let row = 0; row < rows; row += 1) {
    const start = (region.y + row) * width + region.x;
    packPixels(words.subarray(start, start + length), rgb, row * length * 3);
  }
  return rgb;
}

/**
 * Writes words RRGGBB as bytes R, G, B. Four pixels are three words, which is several times faster than bytes: where
 * `at` is a multiple of four.
 * @param at index in `rgb` of the first byte
 */
function packPixels(words: Uint32Array, rgb: Uint8Array, at: number): void {
  let i = 0;
  if (at % 4 === 0) {
    const packed = new Uint32Array(rgb.buffer, rgb.byteOffset + at, Math.floor((rgb.byteLength - at) / 4));
    let out = 0;
    for (; i + 4 <= words.length; i += 4) {
      const a = words[i] ?? 0;
      const b = words[i + 1] ?? 0;
      const c = words[i + 2] ?? 0;
      const d = words[i + 3] ?? 0;
      packed[out++] = ((a >>> 16) & 0xff) | (a & 0xff00) | ((a & 0xff) << 16) | ((b & 0xff0000) << 8);
      packed[out++] = ((b >>> 8) & 0xff) | ((b & 0xff) << 8) | (c & 0xff0000) | ((c & 0xff00) << 16);
      packed[out++] = (c & 0xff) | ((d >>> 8) & 0xff00) | ((d & 0xff00) << 8) | ((d & 0xff) << 24);
    }
  }
  for (; i < words.length; i += 1) {
    const word = words[i] ?? 0;
    rgb[at + i * 3] = (word >>> 16) & 0xff;
    rgb[at + i * 3 + 1] = (word >>> 8) & 0xff;
    rgb[at + i * 3 + 2] = word & 0xff;
  }
}

/** The same memory as bytes B, G, R, 0. */
export function viewFrameBytes({ words }: PixelFrame): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}

/**
 * Draws the pointer into a frame, rounding as the X server does, so that the result equals what a screen shows. Throws
 * if its picture has not as many pixels as it says.
 */
export function drawCursor(frame: PixelFrame, cursor: CursorImage): void {
  const { width, height, cursorImage } = cursor;
  if (cursorImage.length !== width * height * 4)
    throw new Error(`its pointer is not ${width}x${height} pixels`);
  const left = cursor.x - cursor.xhot;
  const top = cursor.y - cursor.yhot;
  for (let row = Math.max(0, -top); row < cursor.height && top + row < frame.height; row += 1) {
    for (let column = Math.max(0, -left); column < cursor.width && left + column < frame.width; column += 1) {
      const source = cursor.cursorImage.readUInt32LE((row * cursor.width + column) * 4);
      const at = (top + row) * frame.width + left + column;
      frame.words[at] = blendOver(source, frame.words[at] ?? 0);
    }
  }
}

function blendOver(source: number, below: number): number {
  const rest = 255 - (source >>> 24);
  const red = ((source >>> 16) & 0xff) + scaleByte((below >>> 16) & 0xff, rest);
  const green = ((source >>> 8) & 0xff) + scaleByte((below >>> 8) & 0xff, rest);
  const blue = (source & 0xff) + scaleByte(below & 0xff, rest);
  return (Math.min(red, 255) << 16) | (Math.min(green, 255) << 8) | Math.min(blue, 255);
}

function scaleByte(value: number, by: number): number {
  const product = value * by + 0x80;
  return (product + (product >> 8)) >> 8;
}
