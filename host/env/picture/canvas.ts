import type { Box } from '../../../bridge/protocol/index.ts';
import type { Colour } from './colour.ts';
import type { Point } from './leader-line.ts';

/** Bytes R, G, B, row by row. */
export class Canvas {
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
