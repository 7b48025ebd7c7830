import type { Box } from '../../../bridge/protocol/index.ts';
import { areaOf, gaps, grow, holds, isLevel, overlap } from './boxes.ts';
import type { Ink } from './ink.ts';
import { beyond, coverOf, leaderLineOf } from './leader-line.ts';

/**
 * What covering one pixel costs: text and icons are lost, a number on another element is taken for that one's.
 * A number far from its element's corner is harder to find. In another row it is taken for something there, unless a line
 * leads to its element, so it is there where no other place is left; between two elements it could belong to either.
 */
const costs = {
  ink: 25,
  element: 0.6,
  own: 0.02,
  distance: 1,
  tied: 40,
  corner: 20,
  astray: 3000,
  doubt: 400,
} as const;

/** Pixels that a line from an element to its number is thick. It strikes out what it runs through. */
const tieWidth = 2;
const strikes = 3;

/** Pixels around an element in which its frame is drawn. */
const rim = 3;

/** Square pixels from which on an element is large: of an editor a number hides little. */
const largeArea = 20_000;
/** Square pixels up to which an element is an icon: of those a number hides much. */
const iconArea = 1200;

/** Returns the cost of a place, and what its line covers, for one element's number, other numbers aside. */
export function placementCost(
  { id, box }: { readonly id: number; readonly box: Box },
  all: readonly { readonly id: number; readonly box: Box }[],
  label: { readonly width: number; readonly height: number },
  ink: Ink | undefined,
): (place: Box) => { readonly cost: number; readonly line: Box | undefined } {
  const near = grow(box, label.width * 2, label.height * 4);
  // An element that holds this one is no content to keep clear of.
  const others = all
    .filter((other) => other.id !== id && overlap(other.box, near) > 0 && !holds(other.box, box))
    .map((other) => ({ box: other.box, weight: costs.element * weightOf(other.box) }));
  // This runs ten thousands of times for one picture.
  const covering = (place: Box) => {
    let sum = costs.ink * (ink?.in(place) ?? 0);
    for (const other of others) sum += other.weight * overlap(place, other.box);
    return sum;
  };
  return (place) => {
    const tie = leaderLineOf(box, place);
    const line = tie ? coverOf(beyond(tie, rim), tieWidth) : undefined;
    const tied = line ? costs.tied + strikes * covering(line) : 0;
    const unclear = tie ? 0 : doubtOf(place, box, others);
    const cost = covering(place) + unclear + costs.own * overlap(place, box) + distance(place, box) + tied;
    return { cost, line };
  };
}

/** What it costs that a number without a line could be taken for another element's. */
function doubtOf(place: Box, box: Box, others: readonly { readonly box: Box }[]): number {
  if (!isLevel(place, box)) return costs.astray;
  if (overlap(place, box) > 0) return 0;
  const { across } = gaps(place, box);
  const isAsNear = others.some(
    (other) =>
      isLevel(place, other.box) && overlap(other.box, box) === 0 && gaps(place, other.box).across <= across,
  );
  return isAsNear ? costs.doubt : 0;
}

function weightOf(box: Box): number {
  const area = areaOf(box);
  return area <= iconArea ? 12 : Math.min(1, largeArea / area);
}

/** Pixels between an element and its number, and a little for the way to its top left corner, where reading begins. */
function distance(label: Box, box: Box): number {
  const { across, down } = gaps(label, box);
  const corner = Math.abs(label.x - box.x) * 0.004 + Math.abs(label.y - box.y) * 0.2;
  // Touching at a corner alone, it could as well belong to the element there.
  const beside = label.x + label.width <= box.x || box.x + box.width <= label.x;
  const over = label.y + label.height <= box.y || box.y + box.height <= label.y;
  return costs.distance * (across + down) + corner + (beside && over ? costs.corner : 0);
}
