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

/** For each row of tiles, which ones differ. */
function changedTiles(before: Frame, after: Frame, within: Box): Map<number, Set<number>> {
  const a = bytesOf(before);
  const b = bytesOf(after);
  const [first, last] = [Math.floor(within.x / side), Math.floor((within.x + within.width - 1) / side)];
  const rows = new Map<number, Set<number>>();
  const same = (y: number, from: number, to: number) => {
    const [start, end] = [(y * after.width + from) * 4, (y * after.width + to) * 4];
    return a.compare(b, start, end, start, end) === 0;
  };
  for (let y = within.y; y < within.y + within.height; y += 1) {
    if (same(y, within.x, within.x + within.width)) continue;
    const row = Math.floor(y / side);
    const found = rows.get(row) ?? new Set<number>();
    rows.set(row, found);
    for (let tile = first; tile <= last; tile += 1) {
      if (found.has(tile) || same(y, tile * side, Math.min((tile + 1) * side, after.width))) continue;
      found.add(tile);
    }
  }
  return rows;
}

/** Boxes around tiles that touch, corners included. */
function grouped(rows: ReadonlyMap<number, Set<number>>): Tiles[] {
  const groups: Tiles[] = [];
  const left = new Map([...rows].map(([row, tiles]) => [row, new Set(tiles)]));
  for (const [row, tiles] of left) {
    for (const tile of tiles) groups.push(flood(left, tile, row));
  }
  return groups;
}

/** Takes out all tiles that hang together with one. */
function flood(left: ReadonlyMap<number, Set<number>>, tile: number, row: number): Tiles {
  const open = [{ x: tile, y: row }];
  left.get(row)?.delete(tile);
  let box: Tiles = { left: tile, top: row, right: tile + 1, bottom: row + 1 };
  for (let at = open.pop(); at; at = open.pop()) {
    box = around(box, { left: at.x, top: at.y, right: at.x + 1, bottom: at.y + 1 });
    for (let y = at.y - 1; y <= at.y + 1; y += 1)
      for (let x = at.x - 1; x <= at.x + 1; x += 1) if (left.get(y)?.delete(x)) open.push({ x, y });
  }
  return box;
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
