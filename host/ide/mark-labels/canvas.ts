import type { Box } from '../../../bridge/protocol/index.ts';
import type { Point } from '../../../bridge/protocol/index.ts';

/** Bytes R, G, B, row by row. */
export class LabelCanvas {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;

  constructor(rgb: Uint8Array, width: number, height: number) {
    this.rgb = rgb;
    this.width = width;
    this.height = height;
  }

  dot(x: number, y: number, { red, green, blue }: Colour): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = (y * this.width + x) * 3;
    this.rgb[at] = red;
    this.rgb[at + 1] = green;
    this.rgb[at + 2] = blue;
  }

  /** Null outside of the picture. */
  at(x: number, y: number): Colour | null {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return null;
    const at = (y * this.width + x) * 3;
    const [red = 0, green = 0, blue = 0] = this.rgb.subarray(at, at + 3);
    return { red, green, blue };
  }

  fill(box: Box, colour: Colour): void {
    for (let y = box.y; y < box.y + box.height; y += 1) {
      for (let x = box.x; x < box.x + box.width; x += 1) this.dot(x, y, colour);
    }
  }

  /** A frame along the inside of a box. */
  frame({ x, y, width, height }: Box, line: number, colour: Colour): void {
    const rows = Math.min(line, height);
    const columns = Math.min(line, width);
    this.fill({ x, y, width, height: rows }, colour);
    this.fill({ x, y: y + height - rows, width, height: rows }, colour);
    this.fill({ x, y, width: columns, height }, colour);
    this.fill({ x: x + width - columns, y, width: columns, height }, colour);
  }

  /** A straight line of a thickness. */
  line(from: Point, to: Point, thickness: number, colour: Colour): void {
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y))));
    for (let i = 0; i <= steps; i += 1) {
      const along = (start: number, end: number) =>
        Math.round(start + ((end - start) * i) / steps - thickness / 2);
      const dot = { x: along(from.x, to.x), y: along(from.y, to.y) };
      this.fill({ ...dot, width: thickness, height: thickness }, colour);
    }
  }
}

export interface Colour {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

const white: Colour = { red: 255, green: 255, blue: 255 };
const black: Colour = { red: 0, green: 0, blue: 0 };
/** Neighbouring numbers are far apart on the colour wheel. */
const goldenAngle = 137.508;
/** Brightness below which a line is lost on a dark background. */
const darkest = 90;

/** A mark's colour: always the same for one number. Dark hues are lightened, so that they show on a dark theme. */
export function pickMarkColour(id: number): Colour {
  const hue = (id * goldenAngle) % 360;
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12;
    return 0.5 - 0.45 * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  };
  const pure = { red: 255 * channel(0), green: 255 * channel(8), blue: 255 * channel(4) };
  const lift = Math.max(0, (darkest - measureBrightness(pure)) / (255 - measureBrightness(pure)));
  const lifted = (value: number) => Math.round(value + (255 - value) * lift);
  return { red: lifted(pure.red), green: lifted(pure.green), blue: lifted(pure.blue) };
}

/** Black or white, whichever reads better on a colour. */
export function pickInk(colour: Colour): Colour {
  return measureBrightness(colour) > 130 ? black : white;
}

/** As the eye sees it, 0 to 255. */
function measureBrightness({ red, green, blue }: Colour): number {
  return red * 0.299 + green * 0.587 + blue * 0.114;
}

/** How far two colours are apart: 0 to 441. */
export function measureColourDifference(one: Colour, other: Colour): number {
  return Math.hypot(one.red - other.red, one.green - other.green, one.blue - other.blue);
}

/** Digits 4 wide and 7 high, one string for each row: no font has to be installed, and three of them are short. */
const digits: readonly (readonly string[])[] = [
  [' ## ', '#  #', '#  #', '#  #', '#  #', '#  #', ' ## '],
  ['  # ', ' ## ', '# # ', '  # ', '  # ', '  # ', '####'],
  [' ## ', '#  #', '   #', '  # ', ' #  ', '#   ', '####'],
  ['### ', '   #', '   #', ' ## ', '   #', '   #', '### '],
  ['#  #', '#  #', '#  #', '####', '   #', '   #', '   #'],
  ['####', '#   ', '### ', '   #', '   #', '#  #', ' ## '],
  [' ## ', '#   ', '#   ', '### ', '#  #', '#  #', ' ## '],
  ['####', '   #', '   #', '  # ', '  # ', ' #  ', ' #  '],
  [' ## ', '#  #', '#  #', ' ## ', '#  #', '#  #', ' ## '],
  [' ## ', '#  #', '#  #', ' ###', '   #', '   #', ' ## '],
];

/** Pixels of the screen for one of the font: at half the size the strokes are still one pixel wide. */
const scale = 2;
const glyph = { width: 4 * scale, height: 7 * scale };
const gap = scale;
const padding = 2;

/** The size of a label, by the number of digits. */
export function labelSize(id: number): { width: number; height: number } {
  const count = String(id).length;
  return { width: count * glyph.width + (count - 1) * gap + 2 * padding, height: glyph.height + 2 * padding };
}

/** Calls `dot` with the offset of every lit pixel of a label. */
export function eachLitPixel(id: number, dot: (x: number, y: number) => void): void {
  [...String(id)].forEach((digit, position) => {
    const left = padding + position * (glyph.width + gap);
    const rows = digits[Number(digit)] ?? [];
    for (let y = 0; y < glyph.height; y += 1) {
      for (let x = 0; x < glyph.width; x += 1) {
        if (rows[Math.floor(y / scale)]?.[Math.floor(x / scale)] === '#') dot(left + x, padding + y);
      }
    }
  });
}
