import { usePicture } from '../record/index.ts';
import type { Box } from '../../bridge/protocol/index.ts';

/** The differences of two pictures. */
export interface ScreenDifference {
  readonly pixels: number;
  /** The box around all of them. */
  readonly box: Box;
}

/**
 * The browser rounds the edges of curves differently each time it draws them: by up to this many of 255 shades, at up to
 * this many pixels. Differences that people can see are larger, or in more places.
 */
const rounding = { shades: 2, pixels: 500 };

/**
 * Null if two screens, as PNG, have the same colour at every pixel, including the pointer, except for {@link rounding}.
 * Errors: `bad-picture`.
 * @param name of the first one, for errors
 */
export async function screenDifference(
  one: Uint8Array,
  other: Uint8Array,
  name = 'a recorded screen',
): Promise<ScreenDifference | null> {
  if (Buffer.compare(one, other) === 0) return null;
  const [a, b] = await Promise.all([decode(name, one), decode('the screen', other)]);
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

async function decode(name: string, png: Uint8Array): Promise<Pixels | undefined> {
  const [decoded] = await usePicture(name, png, (picture) => [
    picture().removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true }),
  ]);
  if (!decoded) return undefined;
  const { data, info } = decoded;
  return { width: info.width, height: info.height, data };
}

function differenceOf(a: Pixels, b: Pixels): ScreenDifference | null {
  let pixels = 0;
  let most = 0;
  let [left, top, right, bottom] = [a.width, a.height, -1, -1];
  for (let i = 0; i < a.width * a.height; i += 1) {
    const at = 3 * i;
    if (a.data[at] === b.data[at] && a.data[at + 1] === b.data[at + 1] && a.data[at + 2] === b.data[at + 2])
      continue;
    const [x, y] = [i % a.width, Math.floor(i / a.width)];
    pixels += 1;
    for (let channel = at; channel < at + 3; channel += 1)
      most = Math.max(most, Math.abs((a.data[channel] ?? 0) - (b.data[channel] ?? 0)));
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (most <= rounding.shades && pixels <= rounding.pixels) return null;
  return { pixels, box: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 } };
}
