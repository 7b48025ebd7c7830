import type { Box, Mark } from '../../../bridge/protocol/index.ts';
import { candidates } from './candidates.ts';
import { labelSize } from './font.ts';
import type { Ink } from './ink.ts';

/** A mark with whole-pixel boxes inside the picture: its own, and where its number goes. */
export interface Placed {
  readonly id: number;
  readonly box: Box;
  readonly label: Box;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * What covering one pixel costs: another number becomes unreadable, text is lost, an element is only harder to see.
 * A number far from its element's corner is harder to find.
 */
const cost = { label: 1000, ink: 10, element: 0.6, own: 0.02, distance: 1 } as const;

/** Square pixels from which on an element is large. */
const largeArea = 20_000;

/**
 * Finds a place for every number in or beside its box, so that numbers don't cover each other, nor text and icons where
 * there is any other place. Small elements choose first: they have the fewest places.
 * @param ink what the picture shows; without it only boxes count
 */
export function placeLabels(marks: readonly Pick<Mark, 'id' | 'box'>[], picture: Size, ink?: Ink): Placed[] {
  const boxed = marks.flatMap(({ id, box }) => {
    const inside = clip(box, picture);
    return inside === null ? [] : [{ id, box: inside }];
  });
  const placed: Placed[] = [];
  for (const { id, box } of boxed.toSorted((a, b) => areaOf(a.box) - areaOf(b.box))) {
    const size = labelSize(id);
    const near = grow(box, size.width * 2, size.height * 2);
    const labels = placed.map(({ label }) => label).filter((label) => overlap(label, near) > 0);
    // An element that holds this one is no content to keep clear of.
    const others = boxed
      .filter((other) => other.id !== id && !holds(other.box, box) && overlap(other.box, near) > 0)
      .map((other) => other.box);
    const price = (label: Box) =>
      cost.label * sum(labels, (other) => overlap(label, other)) +
      cost.ink * (ink?.in(label) ?? 0) +
      cost.element * sum(others, (other) => overlap(label, other) * weight(other)) +
      cost.own * overlap(label, box) +
      cost.distance * distance(label, box);
    placed.push({ id, box, label: cheapest(candidates(box, size, picture), price) });
  }
  return placed;
}

/** The first of the cheapest boxes. */
function cheapest(boxes: readonly Box[], price: (box: Box) => number): Box {
  let best = { box: boxes[0] ?? { x: 0, y: 0, width: 0, height: 0 }, price: Number.POSITIVE_INFINITY };
  for (const box of boxes) {
    const own = price(box);
    if (own < best.price) best = { box, price: own };
  }
  return best.box;
}

function clip(box: Box, picture: Size): Box | null {
  const x = Math.max(0, Math.floor(box.x));
  const y = Math.max(0, Math.floor(box.y));
  const width = Math.min(picture.width, Math.ceil(box.x + box.width)) - x;
  const height = Math.min(picture.height, Math.ceil(box.y + box.height)) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Of a large element, such as an editor, a number hides little. */
function weight(box: Box): number {
  return Math.min(1, largeArea / areaOf(box));
}

/** Pixels between an element and its number, and a little for the way to its top left corner, where reading begins. */
function distance(label: Box, box: Box): number {
  const gap = (from: number, size: number, at: number, length: number) =>
    Math.max(from - at - length, at - from - size, 0);
  const apart = gap(label.x, label.width, box.x, box.width) + gap(label.y, label.height, box.y, box.height);
  const corner = Math.abs(label.x - box.x) * 0.004 + Math.abs(label.y - box.y) * 0.2;
  // Touching at a corner alone, it could as well belong to the element there.
  const beside = label.x + label.width <= box.x || box.x + box.width <= label.x;
  const over = label.y + label.height <= box.y || box.y + box.height <= label.y;
  return apart + corner + (beside && over ? 20 : 0);
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

function holds(outer: Box, inner: Box): boolean {
  return overlap(outer, inner) === areaOf(inner);
}

function grow({ x, y, width, height }: Box, across: number, down: number): Box {
  return { x: x - across, y: y - down, width: width + 2 * across, height: height + 2 * down };
}

function areaOf({ width, height }: Box): number {
  return width * height;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
