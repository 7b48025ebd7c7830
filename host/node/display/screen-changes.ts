import type { Damage, XEvent } from 'x11';
import { pause } from '../../../bridge/lib/index.ts';
import type { Box } from '../../../bridge/protocol/index.ts';
import { type PixelFrame, viewFrameBytes } from './pixel-frame.ts';
import type { XConnection } from './x-connection.ts';

/** Something that was drawn. */
export interface DrawnArea {
  /** `performance.now()` in milliseconds. */
  readonly at: number;
  /** Around all of it. */
  readonly box: Box;
}

/** How many of the newest drawings are kept. */
const maxDrawings = 4000;

/** Watches for anything being drawn anywhere on the screen. */
export class DamageWatch {
  #last: number | undefined;
  #drawn: DrawnArea[] = [];
  #count = 0;
  readonly #waiting = new Set<() => void>();

  private constructor(connection: XConnection, damage: Damage, id: number) {
    connection.onEvent((event) => {
      if (event.damage !== id) return;
      this.#note(event.area);
      // Until it is acknowledged, the server reports only what is drawn outside of its box.
      damage.Subtract(id, 0, 0);
      this.#count += 1;
      for (const wake of [...this.#waiting]) wake();
    });
    damage.Create(id, connection.root, damage.ReportLevel.BoundingBox);
  }

  static async on(connection: XConnection): Promise<DamageWatch> {
    const damage = await connection.extension('damage');
    const watch = new DamageWatch(connection, damage, connection.client.AllocID());
    await connection.sync();
    // A new watch gets one event at once, that everything is damaged: this is not a drawing.
    watch.#last = undefined;
    watch.#drawn = [];
    return watch;
  }

  /** `performance.now()` when something was last drawn; undefined when nothing was since the watch began. */
  get last(): number | undefined {
    return this.#last;
  }

  /** The drawings since a time, the oldest first. */
  since(time: number): readonly DrawnArea[] {
    return this.#drawn.slice(this.#drawn.findLastIndex(({ at }) => at < time) + 1);
  }

  /** Rises whenever something was drawn: a picture asked for now shows all that was drawn up to this number. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when something is drawn, or after a time. Rejects as soon as the signal fires. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const over = new AbortController();
    const pausing = pause(ms, AbortSignal.any([signal, over.signal]));
    try {
      await Promise.race([promise, pausing]);
    } finally {
      this.#waiting.delete(resolve);
      over.abort();
      await pausing.catch(() => undefined);
    }
  }

  #note(area: XEvent['area']): void {
    this.#last = performance.now();
    if (area)
      this.#drawn.push({
        at: this.#last,
        box: { x: area.x, y: area.y, width: area.w, height: area.h },
      });
    if (this.#drawn.length > maxDrawings) this.#drawn = this.#drawn.slice(-maxDrawings / 2);
  }
}

/** Changes that are kept: of several seconds in which everything moves. */
const maxChanges = 200;

/** Where a screen changed, by the serial that each change led to. */
export class ChangeHistory {
  readonly #screen: Pick<Box, 'width' | 'height'>;
  #first: number;
  #changes: (readonly Box[])[] = [];

  /** @param serial the first, before any change */
  constructor(screen: Pick<Box, 'width' | 'height'>, serial: number) {
    this.#screen = screen;
    this.#first = serial;
  }

  get serial(): number {
    return this.#first + this.#changes.length;
  }

  /** Notes a change, which gets the next serial. */
  add(boxes: readonly Box[]): void {
    this.#changes.push(boxes);
    if (this.#changes.length <= maxChanges) return;
    this.#changes = this.#changes.slice(-maxChanges / 2);
    this.#first += maxChanges - this.#changes.length + 1;
  }

  /** The boxes that hold all changes since a serial; the whole screen if these changes are not known. */
  since(serial: number | undefined): Box[] {
    if (serial === undefined || serial < this.#first || serial > this.serial)
      return [{ x: 0, y: 0, width: this.#screen.width, height: this.#screen.height }];
    return joinBoxes(this.#changes.slice(serial - this.#first).flat(), this.#screen);
  }
}

/** Side of the squares that a screen is compared by, in pixels: half a line of text. */
const tileSide = 16;
/** Boxes are joined, nearest first, until there are at most this. */
const maxBoxes = 12;
/** More groups of squares than this are one box. */
const maxGroups = 150;

/**
 * The parts of `within` that differ, as few boxes that don't overlap; together they hold every difference. Edges lie
 * on a grid of 16 pixels, but never outside `within`.
 * @param within a box that holds every difference
 */
export function findChangedBoxes(before: PixelFrame, after: PixelFrame, within: Box): Box[] {
  const groups = groupTiles(findChangedTiles(before, after, within));
  return joinTiles(groups).map((tiles) => toBox(tiles, within));
}

/** Joins boxes until they are few and none overlaps another, on the same grid. */
function joinBoxes(boxes: readonly Box[], screen: Pick<Box, 'width' | 'height'>): Box[] {
  const tiles = boxes.map(({ x, y, width, height }) => ({
    left: Math.floor(x / tileSide),
    top: Math.floor(y / tileSide),
    right: Math.ceil((x + width) / tileSide),
    bottom: Math.ceil((y + height) / tileSide),
  }));
  return joinTiles(tiles).map((each) => toBox(each, { x: 0, y: 0, ...screen }));
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
function findChangedTiles(before: PixelFrame, after: PixelFrame, within: Box): TileMap {
  const [columns, rows] = [Math.ceil(after.width / tileSide), Math.ceil(after.height / tileSide)];
  const marked = new Uint8Array(columns * rows);
  const [a, b] = [viewFrameBytes(before), viewFrameBytes(after)];
  const { width } = after;
  for (let y = within.y; y < within.y + within.height; y += 1) {
    const row = y * width;
    const start = row + within.x;
    const end = start + within.width;
    if (a.compare(b, start * 4, end * 4, start * 4, end * 4) === 0) continue;
    const first = Math.floor(y / tileSide) * columns;
    for (let tile = Math.floor(within.x / tileSide); row + tile * tileSide < end; tile += 1) {
      if (marked[first + tile] === 1) continue;
      const from = Math.max(start, row + tile * tileSide);
      const to = Math.min(end, row + (tile + 1) * tileSide);
      if (differ(before, after, from, to)) marked[first + tile] = 1;
    }
  }
  return { columns, rows, marked };
}

function differ(before: PixelFrame, after: PixelFrame, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (before.words[at] !== after.words[at]) return true;
  return false;
}

/** Boxes around tiles that touch, corners included. */
function groupTiles(map: TileMap): Tiles[] {
  const groups: Tiles[] = [];
  for (let at = map.marked.indexOf(1); at >= 0; at = map.marked.indexOf(1, at))
    groups.push(floodGroup(map, at));
  return groups;
}

/** Unmarks all tiles that hang together with one. */
function floodGroup({ columns, rows, marked }: TileMap, first: number): Tiles {
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
function joinTiles(boxes: readonly Tiles[]): Tiles[] {
  const [first, ...rest] = boxes;
  // Changes scattered over the whole screen are one box: comparing thousands of pairs would cost more than it is worth.
  if (first && boxes.length > maxGroups) return [rest.reduce(uniteTiles, first)];
  let list = [...boxes];
  for (;;) {
    const pair = findCheapestPair(list);
    if (!pair || (pair.cost >= 0 && list.length <= maxBoxes)) return list;
    list = [...list.filter((box) => box !== pair.a && box !== pair.b), uniteTiles(pair.a, pair.b)];
  }
}

/** The two boxes whose joining adds least; below 0 for two that overlap. */
function findCheapestPair(list: readonly Tiles[]): { a: Tiles; b: Tiles; cost: number } | undefined {
  let best: { a: Tiles; b: Tiles; cost: number } | undefined;
  for (const [i, a] of list.entries()) {
    for (const b of list.slice(i + 1)) {
      const cost = tilesOverlap(a, b) ? -1 : countTiles(uniteTiles(a, b)) - countTiles(a) - countTiles(b);
      if (!best || cost < best.cost) best = { a, b, cost };
    }
  }
  return best;
}

function tilesOverlap(a: Tiles, b: Tiles): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function uniteTiles(a: Tiles, b: Tiles): Tiles {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

function countTiles({ left, top, right, bottom }: Tiles): number {
  return (right - left) * (bottom - top);
}

function toBox(tiles: Tiles, within: Box): Box {
  const x = Math.max(tiles.left * tileSide, within.x);
  const y = Math.max(tiles.top * tileSide, within.y);
  const right = Math.min(tiles.right * tileSide, within.x + within.width);
  const bottom = Math.min(tiles.bottom * tileSide, within.y + within.height);
  return { x, y, width: right - x, height: bottom - y };
}
