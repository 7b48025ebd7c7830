import type { Box, Mark } from '../../../bridge/protocol/index.ts';
import { type BoxSize, clipBox, findBoundingBox, measureArea, measureOverlap } from './box-geometry.ts';
import { labelSize } from './canvas.ts';
import { findCandidates, measurePlacementCost } from './label-candidates.ts';
import type { PictureInk } from './picture-content.ts';

/** A mark with whole-pixel boxes inside the picture: its own, and where its number goes. */
export interface PlacedLabel {
  readonly id: number;
  readonly box: Box;
  readonly label: Box;
}

/** Above this number of elements, each has fewer places to choose from. */
const manyMarks = 150;

/**
 * Finds a place for every number in or beside its box, so that numbers don't cover each other, nor text and icons if there
 * is any other place. Small elements choose first: they have the fewest places.
 * @param ink the content of the picture; without it only boxes count
 */
export function placeLabels(
  marks: readonly Pick<Mark, 'id' | 'box'>[],
  picture: BoxSize,
  ink?: PictureInk,
): PlacedLabel[] {
  const boxed = marks
    .flatMap(({ id, box }) => {
      const inside = clipBox(box, picture);
      return inside === null ? [] : [{ id, box: inside }];
    })
    .toSorted((a, b) => measureArea(a.box) - measureArea(b.box));
  const sites = boxed.map((one): LabelSite => {
    const size = labelSize(one.id);
    const costOf = measurePlacementCost(one, boxed, size, ink);
    return {
      places: findCandidates(one.box, size, picture, boxed.length > manyMarks).map((box) => ({
        box,
        ...costOf(box),
      })),
    };
  });
  const labels = arrangeLabels(sites);
  return boxed.flatMap((one, i) => {
    const label = labels[i];
    return label ? [{ ...one, label }] : [];
  });
}

/** The places for one number, with the cost of each while no other number is there. */
interface LabelSite {
  readonly places: readonly LabelPlace[];
}

interface LabelPlace {
  readonly box: Box;
  readonly cost: number;
  /** The area that the line from the element to the number covers; absent without one. */
  readonly line?: Box | undefined;
}

/** Covering one pixel of another number: it becomes unreadable. */
const meeting = 1000;
/** The same if a line runs under it, or its own under another. */
const crossing = 60;
/** A number whose place costs less is well placed. */
const good = 150;
/** The number of rounds in which badly placed numbers look for a better place, and of places that each tries. */
const rounds = 4;
const tries = 16;
/** Numbers that may be moved to make room for another. */
const movable = 2;

/**
 * Gives each site one of its places, in order. Then moves those in bad places to better ones, if the numbers there can
 * move for less than the gain.
 * @returns a box for each site; undefined for one without places
 */
function arrangeLabels(sites: readonly LabelSite[]): (Box | undefined)[] {
  const board = new LabelBoard(sites.map(({ places }) => places.toSorted((a, b) => a.cost - b.cost)));
  board.settle();
  for (let round = 0; round < rounds && board.improve(); round += 1);
  return board.boxes();
}

/** Numbers on their places. */
class LabelBoard {
  readonly #places: readonly (readonly LabelPlace[])[];
  readonly #chosen: (LabelPlace | undefined)[];
  /** For each site, the others that may get in its way. */
  readonly #neighbours: readonly (readonly number[])[];

  /** @param places those of each site, the cheapest first */
  constructor(places: readonly (readonly LabelPlace[])[]) {
    this.#places = places;
    this.#chosen = places.map(() => undefined);
    const reach = places.map((own) =>
      findBoundingBox(own.flatMap(({ box, line }) => (line ? [box, line] : [box]))),
    );
    this.#neighbours = reach.map((own, i) =>
      reach.flatMap((other, k) => (k !== i && measureOverlap(own, other) > 0 ? [k] : [])),
    );
  }

  boxes(): (Box | undefined)[] {
    return this.#chosen.map((place) => place?.box);
  }

  /** Every site takes the best place that those before it left. */
  settle(): void {
    for (const i of this.#places.keys()) this.#chosen[i] = this.#best(i);
  }

  /** One round; returns whether anything improved. */
  improve(): boolean {
    let better = false;
    for (const i of this.#places.keys()) {
      if (this.#costOf(i) > good && this.#relieve(i)) better = true;
    }
    return better;
  }

  /** Moves one number, and up to {@link movable} others out of its way, if that costs less in all. */
  #relieve(i: number): boolean {
    const before = this.#chosen[i];
    for (const place of this.#places[i]?.slice(0, tries) ?? []) {
      if (place === before) continue;
      const inTheWay = this.#meets(i, place);
      if (inTheWay.length > movable) continue;
      const moved = [i, ...inTheWay];
      const was = moved.map((one) => this.#chosen[one]);
      const cost = this.#total(moved);
      for (const one of moved) this.#chosen[one] = undefined;
      this.#chosen[i] = place;
      for (const one of inTheWay) this.#chosen[one] = this.#best(one);
      if (this.#total(moved) < cost - 1) return true;
      moved.forEach((one, k) => (this.#chosen[one] = was[k]));
    }
    return false;
  }

  /** The cheapest place of a site, given the others. */
  #best(i: number): LabelPlace | undefined {
    let best: LabelPlace | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const place of this.#places[i] ?? []) {
      if (place.cost >= least) break;
      const cost = place.cost + this.#covered(i, place);
      if (cost < least) [best, least] = [place, cost];
    }
    return best;
  }

  #total(sites: readonly number[]): number {
    return sites.reduce((sum, i) => sum + this.#costOf(i), 0);
  }

  #costOf(i: number): number {
    const place = this.#chosen[i];
    return place ? place.cost + this.#covered(i, place) : 0;
  }

  #covered(i: number, place: LabelPlace): number {
    let cost = 0;
    for (const k of this.#neighbours[i] ?? []) {
      const other = this.#chosen[k];
      if (!other) continue;
      cost += meeting * measureOverlap(place.box, other.box);
      if (place.line) cost += crossing * measureOverlap(place.line, other.box);
      if (other.line) cost += crossing * measureOverlap(place.box, other.line);
    }
    return cost;
  }

  #meets(i: number, place: LabelPlace): number[] {
    return (this.#neighbours[i] ?? []).filter((k) => {
      const other = this.#chosen[k];
      return other !== undefined && measureOverlap(place.box, other.box) > 0;
    });
  }
}
