import { pause } from '../../../bridge/lib/index.ts';
import { SharedFailure } from '../study/index.ts';
import type { AttemptJob, AttemptQueue } from './attempt-queue.ts';
import { attemptProgress, type AttemptReport } from './queued-attempt.ts';

/** Milliseconds between two looks. Not by BullMQ's events: with PostgreSQL, some get lost where several workers are. */
const lookMs = 500;
/** Every so many looks, also for jobs that have gone. */
const looksPerCheck = 30;

interface WatchedJob extends PromiseWithResolvers<unknown> {
  readonly onWait: ((waits: boolean) => void) | undefined;
  waits: boolean;
}

/** Waits for the reports of jobs. */
export class JobWatch implements AsyncDisposable {
  readonly #queue: AttemptQueue;
  readonly #watched = new Map<string, WatchedJob>();
  readonly #ended = new AbortController();
  readonly #looking: Promise<void>;

  constructor(queue: AttemptQueue) {
    this.#queue = queue;
    this.#looking = this.#look();
  }

  /**
   * Resolves with the report of a job that is in the queue; rejects if it was removed.
   * @param onWait called at each change: whether the job waits, which it does at first, or a worker has it
   */
  wait(id: string, onWait?: (waits: boolean) => void): Promise<unknown> {
    const watched: WatchedJob = { ...Promise.withResolvers<unknown>(), onWait, waits: true };
    this.#watched.set(id, watched);
    // The caller may have gone.
    watched.promise.catch(() => undefined);
    return watched.promise.finally(() => this.#watched.delete(id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { signal } = this.#ended;
    for (let looks = 1; !signal.aborted; looks++) {
      await pause(lookMs, signal).catch(() => undefined);
      if (this.#watched.size === 0 || signal.aborted) continue;
      const known = [...this.#watched];
      try {
        // In this order: one that ends meanwhile is in both, and not in neither.
        const active = new Set(await this.#queue.jobs.getRanges(['active'], 0, -1));
        const over = await this.#queue.jobs.getRanges(['completed', 'failed'], 0, -1);
        const ids = looks % looksPerCheck === 0 ? known.map(([id]) => id) : over;
        for (const id of ids) await this.#settle(id);
        const ended = new Set(over);
        for (const [id, job] of known) if (!ended.has(id)) tellWait(job, !active.has(id));
      } catch {
        // A server that does not answer now is asked again.
      }
    }
  }

  async #settle(id: string): Promise<void> {
    const watched = this.#watched.get(id);
    if (!watched || this.#ended.signal.aborted) return;
    const job = await this.#queue.jobs.getJob(id);
    if (!job) watched.reject(makeRemovedError());
    else if (await job.isCompleted()) watched.resolve(job.returnvalue);
    else if (await job.isFailed()) watched.resolve(reportFailed(job));
  }
}

function tellWait(job: WatchedJob, waits: boolean): void {
  if (job.waits !== waits) job.onWait?.(waits);
  job.waits = waits;
}

/** A job that the queue gave up, since it lost its workers too often or one of them could not work. */
function reportFailed({
  failedReason: failure,
  progress,
}: Pick<AttemptJob, 'failedReason'> & { readonly progress: unknown }): AttemptReport {
  const starts = attemptProgress.safeParse(progress).data?.starts ?? [];
  const { worker = '' } = starts.at(-1) ?? {};
  return { worker, record: null, failure, shared: null, killed: starts.slice(0, -1) };
}

/** A person cancelled the study, or emptied the queue: the other attempts are gone, too. */
function makeRemovedError(): SharedFailure {
  return new SharedFailure('cancelled', 'the attempts were taken out of the queue', {
    help: 'Run the same command again to continue the study.',
  });
}
