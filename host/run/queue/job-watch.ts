import { pause } from '../../../bridge/lib/index.ts';
import { SharedFailure } from '../study/index.ts';
import type { AttemptJob, AttemptQueue } from './attempt-queue.ts';
import { attemptProgress, type AttemptReport } from './queued-attempt.ts';

/** Milliseconds between two looks. Not by BullMQ's events: with PostgreSQL, some get lost where several workers are. */
const lookMs = 500;
/** Every so many looks, also for jobs that have gone. */
const looksPerCheck = 30;

/** Waits for the reports of jobs. */
export class JobWatch implements AsyncDisposable {
  readonly #queue: AttemptQueue;
  readonly #waiting = new Map<string, PromiseWithResolvers<unknown>>();
  readonly #ended = new AbortController();
  readonly #looking: Promise<void>;

  constructor(queue: AttemptQueue) {
    this.#queue = queue;
    this.#looking = this.#look();
  }

  /** Resolves with the report of a job that is in the queue; rejects if it was removed. */
  wait(id: string): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    // The caller may have gone.
    waiting.promise.catch(() => undefined);
    return waiting.promise.finally(() => this.#waiting.delete(id));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { signal } = this.#ended;
    for (let looks = 1; !signal.aborted; looks++) {
      await pause(lookMs, signal).catch(() => undefined);
      if (this.#waiting.size === 0 || signal.aborted) continue;
      try {
        const over = await this.#queue.jobs.getRanges(['completed', 'failed'], 0, -1);
        const ids = looks % looksPerCheck === 0 ? [...this.#waiting.keys()] : over;
        for (const id of ids) await this.#settle(id);
      } catch {
        // A server that does not answer now is asked again.
      }
    }
  }

  async #settle(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (!waiting || this.#ended.signal.aborted) return;
    const job = await this.#queue.jobs.getJob(id);
    if (!job) waiting.reject(makeRemovedError());
    else if (await job.isCompleted()) waiting.resolve(job.returnvalue);
    else if (await job.isFailed()) waiting.resolve(reportFailed(job));
  }
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
