import type { Box } from '../../../bridge/protocol/index.ts';
import { isOwn, isThing } from './attribution.ts';
import { areaOf, gaps, grow, holds, isLevel, overlap } from './boxes.ts';
import { farthest } from './candidates.ts';
import type { Ink } from './ink.ts';
import { beyond, coverOf, leaderLineOf } from './leader-line.ts';

/**
 * The cost of covering one pixel: text and icons are lost, and a number on another element is attributed to that one. A
 * number far from its element's corner is harder to find. In another row it is attributed to something there, unless a
 * line leads to its element, and a long line is hard to follow. A number nearest to another's box is attributed to that
 * one: it is placed there only if no other place is left.
 */
const costs = {
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
export function placementCost(
  { id, box }: { readonly id: number; readonly box: Box },
  all: readonly { readonly id: number; readonly box: Box }[],
  label: { readonly width: number; readonly height: number },
  ink: Ink | undefined,
): (place: Box) => { readonly cost: number; readonly line: Box | undefined } {
  const near = grow(box, label.width * 2, farthest + label.height);
  const around = all.flatMap((one) => (one.id !== id && overlap(one.box, near) > 0 ? [one.box] : []));
  // An element that contains this one is not content to keep clear of.
  const others = around
    .filter((other) => !holds(other, box))
    .map((other) => ({ box: other, weight: costs.element * weightOf(other) }));
  // This runs ten thousands of times for one picture.
  const covering = (place: Box) => {
    let sum = costs.ink * (ink?.in(place) ?? 0);
    for (const other of others) sum += other.weight * overlap(place, other.box);
    return sum;
  };
  // Also along its edge: a line is lost in the frame there.
  const things = around.filter((other) => isThing(other) && overlap(other, box) === 0);
  const passes = (line: Box) => things.some((other) => overlap(line, other) > 0);
  return (place) => {
    const tie = leaderLineOf(box, place);
    const line = tie ? coverOf(beyond(tie, rim), tieWidth) : undefined;
    const tied = line ? costs.tied + strikes * covering(line) : 0;
    const astray = tie || isLevel(place, box) ? 0 : costs.astray;
    const isForeign = !isOwn(place, box, around) || (tie !== null && passes(coverOf(tie, tieWidth)));
    const own = costs.own * overlap(place, box);
    const cost = covering(place) + astray + own + distance(place, box) + tied;
    return { cost: isForeign ? cost + costs.foreign : cost, line };
  };
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
  const far = Math.max(0, across + down - easy);
  return costs.distance * (across + down) + costs.far * far + corner + (beside && over ? costs.corner : 0);
}
