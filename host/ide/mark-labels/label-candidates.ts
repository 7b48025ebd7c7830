import type { Box } from '../../../bridge/protocol/index.ts';
import {
  type BoxSize,
  containsBox,
  findCover,
  findLeaderLine,
  growBox,
  isSameHeight,
  measureArea,
  measureGaps,
  measureOverlap,
  shortenLeaderLine,
} from './box-geometry.ts';
import type { PictureInk } from './picture-content.ts';

/** The number of places to try along one edge. */
const stepsPerEdge = 24;

/** Square pixels up to which an element is small: its number may be away from it, with a line between them. */
const smallArea = 6000;

/** Pixels from the edge of a box to the centre of a number that lies across it. */
const inset = 1;

/** Pixels between a small element and a number at a distance from it. */
const awayPixels = [10, 16, 22, 30, 40, 52, 66, 80] as const;
/** The greatest of these distances. */
const farthestCandidate = Math.max(...awayPixels);
/** The same for a picture with very many numbers: the time to choose grows with the square of the distance. */
const awayOfMany = [10, 18, 28, 38] as const;

/**
 * The places for a label of a size: along all edges of a box, outside and inside of it, and along its middle; for
 * a small box also across its edges and some way above or below. Inside the picture, in whole pixels.
 * @param many whether there are very many numbers
 */
export function findCandidates(box: Box, label: BoxSize, picture: BoxSize, many: boolean): Box[] {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const across = slide(box.x - label.width, right);
  const inner = slide(box.x, right - label.width);
  const down = slide(box.y, bottom - label.height);
  const middle = box.y + (box.height - label.height) / 2;
  const rows = [box.y, middle, bottom - label.height].flatMap((y) => inner.map((x) => [x, y] as const));
  const sparse = across.filter((_, i) => i % 2 === 0);
  const edges = [0, ...(measureArea(box) <= smallArea ? (many ? awayOfMany : awayPixels) : [])].flatMap(
    (gap) =>
      [box.y - label.height - gap, bottom + gap].flatMap((y) =>
        (gap <= 10 ? across : sparse).map((x) => [x, y] as const),
      ),
  );
  const sides = [box.x - label.width, right].flatMap((x) => [...down, middle].map((y) => [x, y] as const));
  // A clear strip between a small element and its number: next to it the number would touch its frame's corner.
  const beyond = [box.x - label.width - 4, right + 4].map((x) => [x, middle] as const);
  const pinned = measureArea(box) <= smallArea ? pins(box, label) : [];
  const fit = (value: number, size: number, limit: number) =>
    Math.round(Math.max(0, Math.min(value, limit - size)));
  return [...sides, ...beyond, ...edges, ...rows, ...pinned].map(([x, y]) => ({
    x: fit(x, label.width, picture.width),
    y: fit(y, label.height, picture.height),
    ...label,
  }));
}

/** Half outside of a box, the centre just inside: along its upper and lower edge, corners included, and at its ends. */
function pins(box: Box, label: BoxSize): (readonly [number, number])[] {
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
  const count = Math.max(0, Math.min(stepsPerEdge, Math.floor((to - from) / 4)));
  return Array.from({ length: count + 1 }, (_, i) => from + (count === 0 ? 0 : ((to - from) * i) / count));
}

/**
 * The cost of covering one pixel: text and icons are lost, and a number on another element is attributed to that one. A
 * number far from its element's corner is harder to find. In another row it is attributed to something there, unless a
 * line leads to its element, and a long line is hard to follow. A number nearest to another's box is attributed to that
 * one: it is placed there only if no other place is left.
 */
const placementCosts = {
  ink: 25,
  element: 0.6,
  own: 0.02,
  distance: 1,
  far: 6,
  tied: 40,
  corner: 20,
  astray: 3000,
  foreign: 3000,
} as const;

/** Thickness of a line from an element to its number, in pixels. It strikes out the content that it crosses. */
const tieWidth = 2;
const strikes = 3;

/** Pixels of a line that is followed at a glance. */
const easy = 24;

/** Pixels around an element in which its frame is drawn. */
const rim = 3;

/** Square pixels from which an element is large: a number hides little of an editor. */
const largeArea = 20_000;
/** Square pixels up to which an element is an icon: a number hides much of it. */
const iconArea = 1200;

/** Returns the cost of a place for one element's number, and the area its line covers, without other numbers. */
export function measurePlacementCost(
  { id, box }: { readonly id: number; readonly box: Box },
  all: readonly { readonly id: number; readonly box: Box }[],
  label: { readonly width: number; readonly height: number },
  ink: PictureInk | undefined,
): (place: Box) => { readonly cost: number; readonly line: Box | undefined } {
  const near = growBox(box, label.width * 2, farthestCandidate + label.height);
  const around = all.flatMap((one) => (one.id !== id && measureOverlap(one.box, near) > 0 ? [one.box] : []));
  // An element that contains this one is not content to keep clear of.
  const others = around
    .filter((other) => !containsBox(other, box))
    .map((other) => ({ box: other, weight: placementCosts.element * weighElement(other) }));
  // This runs ten thousands of times for one picture.
  const covering = (place: Box) => {
    let sum = placementCosts.ink * (ink?.in(place) ?? 0);
    for (const other of others) sum += other.weight * measureOverlap(place, other.box);
    return sum;
  };
  // Also along its edge: a line is lost in the frame there.
  const things = around.filter((other) => isSingleThing(other) && measureOverlap(other, box) === 0);
  const passes = (line: Box) => things.some((other) => measureOverlap(line, other) > 0);
  return (place) => {
    const tie = findLeaderLine(box, place);
    const line = tie ? findCover(shortenLeaderLine(tie, rim), tieWidth) : undefined;
    const tied = line ? placementCosts.tied + strikes * covering(line) : 0;
    const astray = tie || isSameHeight(place, box) ? 0 : placementCosts.astray;
    const isForeign = !isAttributed(place, box, around) || (tie !== null && passes(findCover(tie, tieWidth)));
    const own = placementCosts.own * measureOverlap(place, box);
    const cost = covering(place) + astray + own + measureDistance(place, box) + tied;
    return { cost: isForeign ? cost + placementCosts.foreign : cost, line };
  };
}

function weighElement(box: Box): number {
  const area = measureArea(box);
  return area <= iconArea ? 12 : Math.min(1, largeArea / area);
}

/** Pixels between an element and its number, and a little for the way to its top left corner, where reading begins. */
function measureDistance(label: Box, box: Box): number {
  const { across, down } = measureGaps(label, box);
  const corner = Math.abs(label.x - box.x) * 0.004 + Math.abs(label.y - box.y) * 0.2;
  // Touching at a corner alone, it could as well belong to the element there.
  const beside = label.x + label.width <= box.x || box.x + box.width <= label.x;
  const over = label.y + label.height <= box.y || box.y + box.height <= label.y;
  const far = Math.max(0, across + down - easy);
  return (
    placementCosts.distance * (across + down) +
    placementCosts.far * far +
    corner +
    (beside && over ? placementCosts.corner : 0)
  );
}

/** Up to this height or width, in pixels, a box is one thing, and a number anywhere in it belongs to it. */
const thin = 54;
/** Pixels by which every other box must be farther away. */
const slack = 1;
/** Nearer than any box that a number only touches. */
const inside = -1 - slack;
/** Pixels that a box in another row counts as farther: rows are read from left to right. */
const otherRow = 4;
/** Pixels: a shorter line is lost between the frames. */
const shortest = 8;

/**
 * Whether a viewer attributes a number to its own element, among the boxes of all others: it is in that box, or nearer to
 * it than to any other; or a visible line leads there, and the number is not at another element. Of nested boxes, the
 * inner one counts. A large box is the background of its content: only numbers at its frame are near it.
 */
export function isAttributed(label: Box, own: Box, others: readonly Box[]): boolean {
  const led = hasVisibleLine(label, own);
  const reach = slack + (led ? 0 : measureNearness(label, own));
  return !others.some((other) => {
    if (isBeyond(label, other, reach)) return false;
    const its = measureNearness(label, other);
    if (led) return its <= reach && isSingleThing(other) && !containsBox(other, own);
    return its <= reach && (its < reach - slack || !containsBox(other, own));
  });
}

/** Whether a line that is long enough to be seen leads from a number to its element. */
function hasVisibleLine(label: Box, own: Box): boolean {
  const { across, down } = measureGaps(label, own);
  return Math.hypot(across, down) >= shortest;
}

/** Whether a box is one thing, not the background of others. */
export function isSingleThing({ width, height }: Box): boolean {
  return Math.min(width, height) <= thin;
}

/** Pixels between a number and a box: negative inside a box that is one thing, to the frame of a larger one. */
function measureNearness(label: Box, box: Box): number {
  if (!isCentreIn(label, box)) {
    const { across, down } = measureGaps(label, box);
    return across + down + (isAtItsHeight(label, box) ? 0 : otherRow);
  }
  if (isSingleThing(box)) return inside;
  const right = box.x + box.width - label.x - label.width;
  const below = box.y + box.height - label.y - label.height;
  return Math.max(0, Math.min(label.x - box.x, label.y - box.y, right, below));
}

/** Whether two boxes are more than this many pixels apart: most are. */
function isBeyond(a: Box, b: Box, reach: number): boolean {
  return (
    b.x - a.x - a.width > reach ||
    a.x - b.x - b.width > reach ||
    b.y - a.y - a.height > reach ||
    a.y - b.y - b.height > reach
  );
}

function isCentreIn(label: Box, box: Box): boolean {
  const x = label.x + label.width / 2 - box.x;
  return x >= 0 && x <= box.width && isAtItsHeight(label, box);
}

function isAtItsHeight(label: Box, box: Box): boolean {
  const y = label.y + label.height / 2 - box.y;
  return y >= 0 && y <= box.height;
}
