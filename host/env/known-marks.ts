import type { MarksQuery } from '../../bridge/protocol/index.ts';
import { changesOf, isBlind, isCut, type MarkChanges, type Shown } from './mark-changes.ts';

/** The number of looks at some of the marks that are remembered besides the session's newest own look. */
const mostParts = 8;

/** The marks that a caller was shown, and in which observations. */
export class Known {
  readonly #own: MarksQuery;
  /** The newest with the session's own query: steps are compared with it. */
  #base: Shown | undefined;
  /** Observations with other queries since then, the newest first. */
  #parts: readonly Shown[] = [];
  /** The newest one that another process has shown, before this caller saw any. */
  #recalled: Shown | undefined;

  /** @param own the query that narrows a session's observations */
  constructor(own: MarksQuery) {
    this.#own = own;
  }

  /**
   * Notes what is shown.
   * @param query the query that narrowed the observation
   * @returns the changes since the last one with the session's own query
   */
  show(observation: Shown, query: MarksQuery): MarkChanges {
    const changes = changesOf(this.#base ?? this.#recalled, observation);
    // Parts that could not be read are compared with what is still known about them.
    if (query !== this.#own || isCut(observation))
      this.#parts = [observation, ...this.#parts].slice(0, mostParts);
    else if (!isBlind(observation)) [this.#base, this.#parts] = [observation, []];
    return changes;
  }

  /** Until something is shown, compares with what another process has shown, e.g. the previous command. */
  recall(observation: Shown): void {
    this.#recalled = observation;
  }

  /** Forgets everything that was shown. */
  clear(): void {
    [this.#base, this.#recalled, this.#parts] = [undefined, undefined, []];
  }

  /** The newest observation that showed this caller a mark; undefined, so any valid one, if it was shown nothing. */
  observationOf(mark: number): number | undefined {
    const shown = [...this.#parts, ...(this.#base ? [this.#base] : [])];
    const found = shown.find(({ marks }) => marks.some(({ id }) => id === mark));
    return (found ?? shown[0])?.number;
  }
}
