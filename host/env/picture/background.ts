import type { Box } from '../../../bridge/protocol/index.ts';
import type { Canvas } from './canvas.ts';
import { difference, type Colour } from './colour.ts';

/** Points of a frame that are looked at on each side. */
const points = 8;
/** Difference of colours below which a line is lost on a background. */
const alike = 110;

/** The background of a frame. */
export class Background {
  readonly #canvas: Canvas;

  constructor(canvas: Canvas) {
    this.#canvas = canvas;
  }

  /** Whether a frame along the inside of a box is lost: a quarter of it or more is on its own colour. */
  isLike(box: Box, colour: Colour): boolean {
    const places = perimeter(box, points);
    const like = places.filter(({ x, y }) => {
      const there = this.#canvas.at(x, y);
      return there !== null && difference(there, colour) < alike;
    });
    return like.length * 4 >= places.length;
  }
}

/** Evenly spread points along the inside of a box. */
export function perimeter({ x, y, width, height }: Box, count: number): { x: number; y: number }[] {
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
