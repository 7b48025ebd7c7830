import type { Box } from '../../../bridge/protocol/index.ts';
import { clip, type Size } from './boxes.ts';

/** Difference of brightness from which on two neighbouring pixels are an edge: of a letter, an icon, a border. */
const edge = 28;

/** Measures how much of a picture's content is in a box: text and icons are edges, backgrounds are not. */
export class Ink {
  readonly #width: number;
  readonly #size: Size;
  /** Edges above and left of each pixel, one row and one column more than the picture has. */
  readonly #sums: Uint32Array;

  /** @param rgb bytes R, G, B, row by row */
  constructor(rgb: Uint8Array, width: number, height: number) {
    this.#width = width + 1;
    this.#size = { width, height };
    this.#sums = new Uint32Array((width + 1) * (height + 1));
    const sums = this.#sums;
    const down = width * 3;
    for (let y = 0; y < height; y += 1) {
      const last = y + 1 === height;
      let row = 0;
      let sum = (y + 1) * this.#width + 1;
      let at = y * down;
      for (let x = 0; x < width; x += 1, at += 3, sum += 1) {
        if ((x + 1 < width && differ(rgb, at, at + 3)) || (!last && differ(rgb, at, at + down))) row += 1;
        sums[sum] = (sums[sum - this.#width] ?? 0) + row;
      }
    }
  }

  /** Pixels of edges in the part of a box that is inside the picture; the box is of whole pixels. */
  in(box: Box): number {
    const sum = (column: number, row: number) => this.#sums[row * this.#width + column] ?? 0;
    const inside = clip(box, this.#size);
    if (inside === null) return 0;
    const { x, y, width, height } = inside;
    const [right, bottom] = [x + width, y + height];
    return sum(right, bottom) - sum(x, bottom) - sum(right, y) + sum(x, y);
  }
}

/** Green is most of what the eye sees as brightness; red distinguishes blue from black. */
function differ(rgb: Uint8Array, a: number, b: number): boolean {
  const red = (rgb[a] ?? 0) - (rgb[b] ?? 0);
  const green = (rgb[a + 1] ?? 0) - (rgb[b + 1] ?? 0);
  return (red < 0 ? -red : red) + 2 * (green < 0 ? -green : green) > 3 * edge;
}
