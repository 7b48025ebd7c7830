import type { Box, Point } from '../../bridge/protocol/index.ts';
import type { RecordedMark } from '../record/index.ts';

type Size = Pick<Box, 'width' | 'height'>;

/** At most the height of an editor's line. */
const height = 18;
const digitWidth = 10;

/** Size of a number with its margins, in screen pixels. */
function tagSize(id: number): Size {
  return { width: String(id).length * digitWidth + 8, height };
}

/**
 * The place of each mark's number, in screen pixels, by the mark's number: none covers another, and all are on the screen.
 * A number without room is left out; its mark still has its outline.
 */
export function placeTags(marks: readonly RecordedMark[], screen: Size): ReadonlyMap<number, Box> {
  const placed = new Map<number, Box>();
  // Small elements first: around a large one there is more room.
  for (const { id, box } of marks.toSorted((a, b) => area(a.box) - area(b.box))) {
    const size = tagSize(id);
    const isFree = (at: Point) =>
      isOn(screen, at, size) && ![...placed.values()].some((one) => meet(one, { ...at, ...size }));
    const place = placesOf(box, size).find(isFree);
    if (place) placed.set(id, { ...place, ...size });
  }
  return placed;
}

/** The best first. */
function placesOf({ x, y, ...box }: RecordedMark['box'], tag: Size): readonly Point[] {
  const [right, bottom] = [x + box.width, y + box.height];
  return [
    { x, y },
    { x: right - tag.width, y },
    { x, y: bottom - tag.height },
    { x: right - tag.width, y: bottom - tag.height },
    { x: right, y },
    { x: x - tag.width, y },
    { x, y: y - tag.height },
    { x, y: bottom },
  ];
}

function isOn(screen: Size, { x, y }: Point, tag: Size): boolean {
  return x >= 0 && y >= 0 && x + tag.width <= screen.width && y + tag.height <= screen.height;
}

function meet(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function area({ width, height: high }: Size): number {
  return width * high;
}
