import type { Box } from '../../../bridge/protocol/index.ts';
import { clip } from './boxes.ts';

/** Difference of brightness from which on two neighbouring pixels are an edge: of a letter, an icon, a border. */
const edge = 28;

/** Measures how much of a picture's content is in a box: text and icons are edges, backgrounds are not. */
export class Ink {
  readonly #width: number;
  /** Edges above and left of each pixel, one row and one column more than the picture has. */
  readonly #sums: Uint32Array;

  /** @param rgb bytes R, G, B, row by row */
  constructor(rgb: Uint8Array, width: number, height: number) {
    this.#width = width + 1;
    this.#sums = new Uint32Array((width + 1) * (height + 1));
    // Green is most of what the eye sees as brightness; red distinguishes blue from black.
    const differs = (a: number, b: number) =>
      Math.abs((rgb[a] ?? 0) - (rgb[b] ?? 0)) + 2 * Math.abs((rgb[a + 1] ?? 0) - (rgb[b + 1] ?? 0)) >
      3 * edge;
    for (let y = 0; y < height; y += 1) {
      let row = 0;
      for (let x = 0; x < width; x += 1) {
        const at = (y * width + x) * 3;
        const right = x + 1 < width && differs(at, at + 3);
        const below = y + 1 < height && differs(at, at + width * 3);
        if (right || below) row += 1;
        const sum = (y + 1) * this.#width + x + 1;
        this.#sums[sum] = (this.#sums[sum - this.#width] ?? 0) + row;
      }
    }
  }

  /** Pixels of edges in the part of a box that is inside the picture; the box is of whole pixels. */
  in(box: Box): number {
    const sum = (column: number, row: number) => this.#sums[row * this.#width + column] ?? 0;
    const inside = clip(box, { width: this.#width - 1, height: this.#sums.length / this.#width - 1 });
    if (inside === null) return 0;
    const { x, y, width, height } = inside;
    const [right, bottom] = [x + width, y + height];
    return sum(right, bottom) - sum(x, bottom) - sum(right, y) + sum(x, y);
  }
}
