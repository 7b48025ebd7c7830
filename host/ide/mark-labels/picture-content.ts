import type { Box } from '../../../bridge/protocol/index.ts';
import { type BoxSize, clipBox } from './box-geometry.ts';
import { type Colour, type LabelCanvas, measureColourDifference } from './canvas.ts';

/** Difference of brightness from which on two neighbouring pixels are an edge: of a letter, an icon, a border. */
const edgeDifference = 28;

/** Measures how much of a picture's content is in a box: text and icons are edges, backgrounds are not. */
export class PictureInk {
  readonly #width: number;
  readonly #size: BoxSize;
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
    const inside = clipBox(box, this.#size);
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
  return (red < 0 ? -red : red) + 2 * (green < 0 ? -green : green) > 3 * edgeDifference;
}

/** Points of a frame that are looked at on each side. */
const pointsPerSide = 8;
/** Difference of colours below which a line is lost on a background. */
const alikeDifference = 110;

/** The background of a frame. */
export class FrameBackground {
  readonly #canvas: LabelCanvas;

  constructor(canvas: LabelCanvas) {
    this.#canvas = canvas;
  }

  /** Whether a frame along the inside of a box is lost: a quarter of it or more is on its own colour. */
  isLike(box: Box, colour: Colour): boolean {
    const places = listPerimeterPoints(box, pointsPerSide);
    const like = places.filter(({ x, y }) => {
      const there = this.#canvas.at(x, y);
      return there !== null && measureColourDifference(there, colour) < alikeDifference;
    });
    return like.length * 4 >= places.length;
  }
}

/** Evenly spread points along the inside of a box. */
export function listPerimeterPoints({ x, y, width, height }: Box, count: number): { x: number; y: number }[] {
  return Array.from({ length: count }, (_, i) => (i + 0.5) / count).flatMap((part) => {
    const across = Math.floor(x + part * width);
    const down = Math.floor(y + part * height);
    return [
      { x: across, y },
      { x: across, y: y + height - 1 },
      { x, y: down },
      { x: x + width - 1, y: down },
    ];
  });
}
