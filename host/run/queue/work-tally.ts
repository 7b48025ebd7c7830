import { clip } from '../../../bridge/text/index.ts';
import type { QueuedAttempt } from './queued-attempt.ts';
import type { WorkerState } from './worker-state.ts';

/** The time over which a rate is counted, in milliseconds. */
const rateMs = 3_600_000;
/** Ends of one study that are kept for its rate. */
const mostEnds = 2000;
/** Errors that are kept, and characters of each. */
const mostErrors = { count: 5, text: 1000 } as const;

interface StudyTally {
  made: number;
  failed: number;
  /** Of the last ones, on the clock of `Date.now()`. */
  ends: number[];
}

/** What a worker has made. */
export class WorkTally {
  readonly #begin = Date.now();
  readonly #studies = new Map<string, StudyTally>();
  #errors: WorkerState['errors'] = [];

  get since(): string {
    return new Date(this.#begin).toISOString();
  }

  /** @param failure why it left no record of its end; null if it left one */
  count({ study, title, folder }: QueuedAttempt, failure: string | null): void {
    const now = Date.now();
    const tally = this.#studies.get(study) ?? { made: 0, failed: 0, ends: [] };
    this.#studies.set(study, tally);
    tally.made += 1;
    tally.ends = [...tally.ends, now].slice(-mostEnds);
    if (failure === null) return;
    tally.failed += 1;
    const error = { at: new Date(now).toISOString(), title, folder };
    this.#errors = [{ ...error, failure: clip(failure, mostErrors.text) }, ...this.#errors];
    this.#errors = this.#errors.slice(0, mostErrors.count);
  }

  describe(): Pick<WorkerState, 'made' | 'errors'> {
    const made = [...this.#studies].map(([study, { ends, ...tally }]) => ({
      ...{ study, made: tally.made, failed: tally.failed },
      perMinute: this.#rate(ends),
    }));
    return { made: made.slice(-1000), errors: this.#errors };
  }

  #rate(ends: readonly number[]): number {
    const now = Date.now();
    const oldest = ends.length === mostEnds ? (ends[0] ?? now) : this.#begin;
    const from = Math.max(oldest, now - rateMs);
    const count = ends.filter((at) => at >= from).length;
    return (count * 60_000) / Math.max(1000, now - from);
  }
}
