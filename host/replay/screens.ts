import sharp from 'sharp';
import type { Box } from '../../bridge/protocol/index.ts';

/** Where two pictures differ. */
export interface ScreenDifference {
  readonly pixels: number;
  /** Around all of them. */
  readonly box: Box;
}

/** Null if two screens, as PNG, have the same colour at every pixel, the pointer included. */
export async function screenDifference(one: Uint8Array, other: Uint8Array): Promise<ScreenDifference | null> {
  if (Buffer.compare(one, other) === 0) return null;
  const [a, b] = await Promise.all([one, other].map(decode));
  if (!a || !b) return null;
  if (a.width !== b.width || a.height !== b.height) {
    const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
    return { pixels: width * height, box: { x: 0, y: 0, width, height } };
  }
  return differenceOf(a, b);
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly data: Uint8Array;
}

async function decode(png: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

function differenceOf(a: Pixels, b: Pixels): ScreenDifference | null {
  let pixels = 0;
  let [left, top, right, bottom] = [a.width, a.height, -1, -1];
  for (let i = 0; i < a.width * a.height; i += 1) {
    const at = 3 * i;
    if (a.data[at] === b.data[at] && a.data[at + 1] === b.data[at + 1] && a.data[at + 2] === b.data[at + 2])
      continue;
    const [x, y] = [i % a.width, Math.floor(i / a.width)];
    pixels += 1;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (pixels === 0) return null;
  return { pixels, box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 } };
}
