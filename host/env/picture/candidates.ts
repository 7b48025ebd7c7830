import type { Box } from '../../../bridge/protocol/index.ts';
import { areaOf, type Size } from './boxes.ts';

/** Places that are looked at along one edge. */
const steps = 24;

/** Square pixels up to which an element is small: its number may be away from it, with a line between them. */
const smallArea = 6000;

/** Pixels between a small element and a number at a distance from it. */
const away = [6, 12, 18, 26, 36, 48, 62, 78] as const;
/** The same of a picture of very many: the time that it takes to choose grows with the square of the distance. */
const awayOfMany = [8, 16, 26, 36] as const;

/**
 * Where a label of a size may be placed: along all edges of a box, outside and inside of it, and along its middle; for
 * a small box also some way above or below. Inside the picture, in whole pixels.
 * @param many whether it is one of very many
 */
export function candidates(box: Box, label: Size, picture: Size, many: boolean): Box[] {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const across = slide(box.x - label.width, right);
  const inner = slide(box.x, right - label.width);
  const down = slide(box.y, bottom - label.height);
  const middle = box.y + (box.height - label.height) / 2;
  const rows = [box.y, middle, bottom - label.height].flatMap((y) => inner.map((x) => [x, y] as const));
  const sparse = across.filter((_, i) => i % 2 === 0);
  const edges = [0, ...(areaOf(box) <= smallArea ? (many ? awayOfMany : away) : [])].flatMap((gap) =>
    [box.y - label.height - gap, bottom + gap].flatMap((y) =>
      (gap <= 8 ? across : sparse).map((x) => [x, y] as const),
    ),
  );
  const sides = [box.x - label.width, right].flatMap((x) => [...down, middle].map((y) => [x, y] as const));
  // A clear strip between a small element and its number: next to it the number would touch its frame's corner.
  const beyond = [box.x - label.width - 4, right + 4].map((x) => [x, middle] as const);
  const fit = (value: number, size: number, limit: number) =>
    Math.round(Math.max(0, Math.min(value, limit - size)));
  return [...sides, ...beyond, ...edges, ...rows].map(([x, y]) => ({
    x: fit(x, label.width, picture.width),
    y: fit(y, label.height, picture.height),
    ...label,
  }));
}

/** Evenly spread values, 4 apart where there is little room; only the first if there is none. */
function slide(from: number, to: number): number[] {
  const count = Math.max(0, Math.min(steps, Math.floor((to - from) / 4)));
  return Array.from({ length: count + 1 }, (_, i) => from + (count === 0 ? 0 : ((to - from) * i) / count));
}
