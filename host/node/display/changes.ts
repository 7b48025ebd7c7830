import type { Box } from '../../../bridge/protocol/index.ts';
import { bytesOf, type Frame } from './pixels.ts';

/** Side of the squares that a screen is compared by, in pixels: half a line of text. */
const side = 16;
/** Boxes are joined, nearest first, until there are at most this. */
const mostBoxes = 12;
/** More groups of squares than this are one box. */
const mostGroups = 150;

/**
 * The parts of `within` that differ, as few boxes that don't overlap; together they hold every difference. Edges lie
 * on a grid of 16 pixels, but never outside `within`.
 * @param within a box that holds every difference
 */
export function changedBoxes(before: Frame, after: Frame, within: Box): Box[] {
  const groups = grouped(changedTiles(before, after, within));
  return joined(groups).map((tiles) => cut(tiles, within));
}

/** Joins boxes until they are few and none overlaps another, on the same grid. */
export function joinedBoxes(boxes: readonly Box[], screen: Pick<Box, 'width' | 'height'>): Box[] {
  const tiles = boxes.map(({ x, y, width, height }) => ({
    left: Math.floor(x / side),
    top: Math.floor(y / side),
    right: Math.ceil((x + width) / side),
    bottom: Math.ceil((y + height) / side),
  }));
  return joined(tiles).map((each) => cut(each, { x: 0, y: 0, ...screen }));
}

/** Half-open ranges of tiles. */
interface Tiles {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Which tiles of a screen differ, row by row: 1 for each that does. */
interface TileMap {
  readonly columns: number;
  readonly rows: number;
  readonly marked: Uint8Array;
}

/** Words are compared one by one: a call for each tile would take longer than its pixels. */
function changedTiles(before: Frame, after: Frame, within: Box): TileMap {
  const [columns, rows] = [Math.ceil(after.width / side), Math.ceil(after.height / side)];
  const marked = new Uint8Array(columns * rows);
  const [a, b] = [bytesOf(before), bytesOf(after)];
  const { width } = after;
  for (let y = within.y; y < within.y + within.height; y += 1) {
    const row = y * width;
    const start = row + within.x;
    const end = start + within.width;
    if (a.compare(b, start * 4, end * 4, start * 4, end * 4) === 0) continue;
    const first = Math.floor(y / side) * columns;
    for (let tile = Math.floor(within.x / side); row + tile * side < end; tile += 1) {
      if (marked[first + tile] === 1) continue;
      const from = Math.max(start, row + tile * side);
      const to = Math.min(end, row + (tile + 1) * side);
      if (differ(before, after, from, to)) marked[first + tile] = 1;
    }
  }
  return { columns, rows, marked };
}

function differ(before: Frame, after: Frame, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (before.words[at] !== after.words[at]) return true;
  return false;
}

/** Boxes around tiles that touch, corners included. */
function grouped(map: TileMap): Tiles[] {
  const groups: Tiles[] = [];
  for (let at = map.marked.indexOf(1); at >= 0; at = map.marked.indexOf(1, at)) groups.push(flood(map, at));
  return groups;
}

/** Unmarks all tiles that hang together with one. */
function flood({ columns, rows, marked }: TileMap, first: number): Tiles {
  const open = [first];
  marked[first] = 0;
  let [left, top, right, bottom] = [columns, rows, 0, 0];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const [x, y] = [at % columns, Math.floor(at / columns)];
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + 1);
    bottom = Math.max(bottom, y + 1);
    for (let row = Math.max(0, y - 1); row <= Math.min(rows - 1, y + 1); row += 1)
      for (let column = Math.max(0, x - 1); column <= Math.min(columns - 1, x + 1); column += 1) {
        const near = row * columns + column;
        if (marked[near] !== 1) continue;
        marked[near] = 0;
        open.push(near);
      }
  }
  return { left, top, right, bottom };
}

/** Joins boxes that overlap, then those that add least to the area, until they are few. */
function joined(boxes: readonly Tiles[]): Tiles[] {
  const [first, ...rest] = boxes;
  // Changes scattered over the whole screen are one box: comparing thousands of pairs would cost more than it is worth.
  if (first && boxes.length > mostGroups) return [rest.reduce(around, first)];
  let list = [...boxes];
  for (;;) {
    const pair = cheapest(list);
    if (!pair || (pair.cost >= 0 && list.length <= mostBoxes)) return list;
    list = [...list.filter((box) => box !== pair.a && box !== pair.b), around(pair.a, pair.b)];
  }
}

/** The two boxes whose joining adds least; below 0 for two that overlap. */
function cheapest(list: readonly Tiles[]): { a: Tiles; b: Tiles; cost: number } | undefined {
  let best: { a: Tiles; b: Tiles; cost: number } | undefined;
  for (const [i, a] of list.entries()) {
    for (const b of list.slice(i + 1)) {
      const cost = overlap(a, b) ? -1 : area(around(a, b)) - area(a) - area(b);
      if (!best || cost < best.cost) best = { a, b, cost };
    }
  }
  return best;
}

function overlap(a: Tiles, b: Tiles): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function around(a: Tiles, b: Tiles): Tiles {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

function area({ left, top, right, bottom }: Tiles): number {
  return (right - left) * (bottom - top);
}

function cut(tiles: Tiles, within: Box): Box {
  const x = Math.max(tiles.left * side, within.x);
  const y = Math.max(tiles.top * side, within.y);
  const right = Math.min(tiles.right * side, within.x + within.width);
  const bottom = Math.min(tiles.bottom * side, within.y + within.height);
  return { x, y, width: right - x, height: bottom - y };
}
