/** Pixels that Chromium scrolls for one notch of the wheel on X. */
const notchPixels = 53;
const mostNotches = 100;

/** Notches of the wheel for a distance in screen pixels: at least one for what is not nothing. */
export function notchesOf(pixels: number): number {
  return Math.min(mostNotches, Math.ceil(Math.abs(pixels) / notchPixels));
}
