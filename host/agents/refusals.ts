import type { Refusal } from '../node/index.ts';
import type { EpisodeRecord } from '../record/index.ts';

/** Writes refused connections into a record as they happen, whatever else the episode is doing. */
export class RefusalNotes {
  readonly #record: EpisodeRecord;
  readonly #writes: Promise<void>[] = [];
  #over = false;

  constructor(record: EpisodeRecord) {
    this.#record = record;
  }

  readonly add = (refusal: Refusal): void => {
    if (this.#over) return;
    const write = this.#record.refused(refusal);
    // Called by `finish`.
    write.catch(() => undefined);
    this.#writes.push(write);
  };

  /** Takes no more and resolves when all are written. */
  async finish(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#writes);
  }
}
