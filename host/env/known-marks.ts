import type { MarksQuery } from '../../bridge/protocol/index.ts';
import { changesOf, isBlind, isCut, type MarkChanges, type Shown } from './mark-changes.ts';

/** Looks at some marks alone that are remembered beside the newest of the session's own. */
const mostParts = 8;

/** The marks that a caller was shown, and in which observations. */
export class Known {
  readonly #own: MarksQuery;
  /** The newest of the session's own query: what a step is compared with. */
  #base: Shown | undefined;
  /** Observations with other queries since then, the newest first. */
  #parts: readonly Shown[] = [];
  /** The newest one that somebody else has shown, before this caller saw any. */
  #recalled: Shown | undefined;

  /** @param own what a session's observations are narrowed to */
  constructor(own: MarksQuery) {
    this.#own = own;
  }

  /**
   * Notes what is shown.
   * @param query what the observation was narrowed to
   * @returns what is different from the last one of the session's own query
   */
  show(observation: Shown, query: MarksQuery): MarkChanges {
    const changes = changesOf(this.#base ?? this.#recalled, observation);
    // What could not be read is compared with what is known of it still.
    if (query !== this.#own || isCut(observation))
      this.#parts = [observation, ...this.#parts].slice(0, mostParts);
    else if (!isBlind(observation)) [this.#base, this.#parts] = [observation, []];
    return changes;
  }

  /** Until something is shown, compares with what another process has shown, e.g. the command line before. */
  recall(observation: Shown): void {
    this.#recalled = observation;
  }

  /** Nothing that was shown is known any more. */
  clear(): void {
    [this.#base, this.#recalled, this.#parts] = [undefined, undefined, []];
  }

  /** The newest observation that showed this caller a mark; undefined if it was shown nothing: any that is valid. */
  observationOf(mark: number): number | undefined {
    const shown = [...this.#parts, ...(this.#base ? [this.#base] : [])];
    const found = shown.find(({ marks }) => marks.some(({ id }) => id === mark));
    return (found ?? shown[0])?.number;
  }
}
