import type { Box } from '../../../bridge/protocol/index.ts';
import { areaOf, type Size } from './boxes.ts';

/** The number of places to try along one edge. */
const steps = 24;

/** Square pixels up to which an element is small: its number may be away from it, with a line between them. */
const smallArea = 6000;

/** Pixels from the edge of a box to the centre of a number that lies across it. */
const inset = 1;

/** Pixels between a small element and a number at a distance from it. */
const away = [10, 16, 22, 30, 40, 52, 66, 80] as const;
/** The greatest of these distances. */
export const farthest = Math.max(...away);
/** The same for a picture with very many numbers: the time to choose grows with the square of the distance. */
const awayOfMany = [10, 18, 28, 38] as const;

/**
 * The places for a label of a size: along all edges of a box, outside and inside of it, and along its middle; for
 * a small box also across its edges and some way above or below. Inside the picture, in whole pixels.
 * @param many whether there are very many numbers
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
      (gap <= 10 ? across : sparse).map((x) => [x, y] as const),
    ),
  );
  const sides = [box.x - label.width, right].flatMap((x) => [...down, middle].map((y) => [x, y] as const));
  // A clear strip between a small element and its number: next to it the number would touch its frame's corner.
  const beyond = [box.x - label.width - 4, right + 4].map((x) => [x, middle] as const);
  const pinned = areaOf(box) <= smallArea ? pins(box, label) : [];
  const fit = (value: number, size: number, limit: number) =>
    Math.round(Math.max(0, Math.min(value, limit - size)));
  return [...sides, ...beyond, ...edges, ...rows, ...pinned].map(([x, y]) => ({
    x: fit(x, label.width, picture.width),
    y: fit(y, label.height, picture.height),
    ...label,
  }));
}

/** Half outside of a box, the centre just inside: along its upper and lower edge, corners included, and at its ends. */
function pins(box: Box, label: Size): (readonly [number, number])[] {
  const [left, right] = [box.x + inset - label.width / 2, box.x + box.width - inset - label.width / 2];
  const [top, bottom] = [box.y + inset - label.height / 2, box.y + box.height - inset - label.height / 2];
  const middle = box.y + (box.height - label.height) / 2;
  const along = [...slide(left, right), right];
  return [
    ...[top, bottom].flatMap((y) => along.map((x) => [x, y] as const)),
    ...[left, right].map((x) => [x, middle] as const),
  ];
}

/** Evenly spread values, 4 apart if there is little room; only the first without room. */
function slide(from: number, to: number): number[] {
  const count = Math.max(0, Math.min(steps, Math.floor((to - from) / 4)));
  return Array.from({ length: count + 1 }, (_, i) => from + (count === 0 ? 0 : ((to - from) * i) / count));
}
