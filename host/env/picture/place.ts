import type { Box, Mark } from '../../../bridge/protocol/index.ts';
import { arrange, type Site } from './arrange.ts';
import { areaOf, clip, type Size } from './boxes.ts';
import { candidates } from './candidates.ts';
import { labelSize } from './font.ts';
import type { Ink } from './ink.ts';
import { placementCost } from './placement-cost.ts';

/** A mark with whole-pixel boxes inside the picture: its own, and where its number goes. */
export interface Placed {
  readonly id: number;
  readonly box: Box;
  readonly label: Box;
}

/** Above this number of elements, each has fewer places to choose from. */
const many = 150;

/**
 * Finds a place for every number in or beside its box, so that numbers don't cover each other, nor text and icons if there
 * is any other place. Small elements choose first: they have the fewest places.
 * @param ink the content of the picture; without it only boxes count
 */
export function placeLabels(marks: readonly Pick<Mark, 'id' | 'box'>[], picture: Size, ink?: Ink): Placed[] {
  const boxed = marks
    .flatMap(({ id, box }) => {
      const inside = clip(box, picture);
      return inside === null ? [] : [{ id, box: inside }];
    })
    .toSorted((a, b) => areaOf(a.box) - areaOf(b.box));
  const sites = boxed.map((one): Site => {
    const size = labelSize(one.id);
    const costOf = placementCost(one, boxed, size, ink);
    return {
      places: candidates(one.box, size, picture, boxed.length > many).map((box) => ({ box, ...costOf(box) })),
    };
  });
  const labels = arrange(sites);
  return boxed.flatMap((one, i) => {
    const label = labels[i];
    return label ? [{ ...one, label }] : [];
  });
}
