import type { Box } from '../../../bridge/protocol/index.ts';
import { around, overlap } from './boxes.ts';

/** The places for one number, with the cost of each while no other number is there. */
export interface Site {
  readonly places: readonly Place[];
}

interface Place {
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
export function arrange(sites: readonly Site[]): (Box | undefined)[] {
  const board = new Board(sites.map(({ places }) => places.toSorted((a, b) => a.cost - b.cost)));
  board.settle();
  for (let round = 0; round < rounds && board.improve(); round += 1);
  return board.boxes();
}

/** Numbers on their places. */
class Board {
  readonly #places: readonly (readonly Place[])[];
  readonly #chosen: (Place | undefined)[];
  /** For each site, the others that may get in its way. */
  readonly #neighbours: readonly (readonly number[])[];

  /** @param places those of each site, the cheapest first */
  constructor(places: readonly (readonly Place[])[]) {
    this.#places = places;
    this.#chosen = places.map(() => undefined);
    const reach = places.map((own) => around(own.flatMap(({ box, line }) => (line ? [box, line] : [box]))));
    this.#neighbours = reach.map((own, i) =>
      reach.flatMap((other, k) => (k !== i && overlap(own, other) > 0 ? [k] : [])),
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
  #best(i: number): Place | undefined {
    let best: Place | undefined;
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

  #covered(i: number, place: Place): number {
    let cost = 0;
    for (const k of this.#neighbours[i] ?? []) {
      const other = this.#chosen[k];
      if (!other) continue;
      cost += meeting * overlap(place.box, other.box);
      if (place.line) cost += crossing * overlap(place.line, other.box);
      if (other.line) cost += crossing * overlap(place.box, other.line);
    }
    return cost;
  }

  #meets(i: number, place: Place): number[] {
    return (this.#neighbours[i] ?? []).filter((k) => {
      const other = this.#chosen[k];
      return other !== undefined && overlap(place.box, other.box) > 0;
    });
  }
}
