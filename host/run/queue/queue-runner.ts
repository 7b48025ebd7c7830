import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type Cancellable,
  neverAborted,
  type PwpErrorCode,
  raceSignal,
  SerialQueue,
} from '../../../bridge/lib/index.ts';
import { openTemporaryFolder } from '../../lib/index.ts';
import {
  type AttemptOptions,
  type AttemptRunner,
  type PlannedAttempt,
  type RunnerOutcome,
  SharedFailure,
} from '../study/index.ts';
import type { AttemptQueue } from './attempt-queue.ts';
import { type BlobStore, isStoreFailure } from './blob-store.ts';
import { JobWatch } from './job-watch.ts';
import { removeBlobs } from './open-store.ts';
import { unpackFiles } from './packed-files.ts';
import { type AttemptReport, attemptReport, nameJob, prefixJobs } from './queued-attempt.ts';
import { packStudy, type PackedStudy } from './study-package.ts';

export interface QueueRunnerOptions extends PackedStudy, Cancellable {
  readonly queue: AttemptQueue;
  readonly store: BlobStore;
  /** The study's name for people. */
  readonly title: string;
  /** Attempts of a lower number are made first, whichever study came first. From 1 to 1,000,000. */
  readonly priority: number;
}

/** Records that are taken from the store at a time. */
const mostTakers = 8;

/** Has a study's attempts made by the workers of a queue. They go on while no process follows them. */
export class QueueRunner implements AttemptRunner, AsyncDisposable {
  readonly #options: QueueRunnerOptions;
  readonly #packed: Awaited<ReturnType<typeof packStudy>>;
  readonly #watch: JobWatch;
  /** Thousands of records may wait for a study that comes back. */
  readonly #takers = Array.from({ length: mostTakers }, () => new SerialQueue());

  private constructor(options: QueueRunnerOptions, packed: Awaited<ReturnType<typeof packStudy>>) {
    this.#options = options;
    this.#packed = packed;
    this.#watch = new JobWatch(options.queue);
  }

  /** Puts what workers need into the store. Errors: those of {@link packStudy}. */
  static async open(options: QueueRunnerOptions): Promise<QueueRunner> {
    const { store, signal } = options;
    return new QueueRunner(options, await packStudy(options, store, { signal }));
  }

  /** Whether a try that an earlier process began is still in the queue. */
  async isUnderWay(
    attempt: PlannedAttempt,
    name: string,
    { signal = neverAborted }: Cancellable = {},
  ): Promise<boolean> {
    const { queue, priority } = this.#options;
    const id = this.#nameJob(attempt, name);
    const job = await queue.ask(() => queue.jobs.getJob(id), signal);
    if (!job) return false;
    if (!job.data.cancelled) {
      if (job.priority !== priority) await queue.ask(() => job.changePriority({ priority }), signal);
      return true;
    }
    // Its worker has ended it, or will.
    if (await queue.ask(() => job.isCompleted(), signal))
      await queue.ask(() => queue.jobs.remove(id), signal);
    return false;
  }

  /** Has one try made, and leaves its record in the folder. Rejects as `LocalRunner.run` does. */
  async run(
    attempt: PlannedAttempt,
    folder: string,
    { signal = neverAborted, onWait }: Pick<AttemptOptions, 'signal' | 'onWait'>,
  ): Promise<RunnerOutcome> {
    const { task, agent, number, folder: place } = attempt;
    const { queue, store, title, agents, priority } = this.#options;
    const id = this.#nameJob(attempt, basename(folder));
    const { name: packed, study } = this.#packed;
    const job = {
      ...{ package: packed, study, title, task: task.id, agent: agents.indexOf(agent), number },
      folder: place,
    };
    onWait?.(true);
    await queue.ask(() => queue.jobs.add(title, job, { jobId: id, priority }), signal);
    const report = attemptReport.parse(await raceSignal(this.#watch.wait(id, onWait), signal));
    const lost = report.killed.length;
    const taker = this.#takers.reduce((one, other) => (other.size < one.size ? other : one));
    await taker.run(() => this.#takeRecord(report, folder, lost, signal), signal);
    await queue.ask(() => queue.jobs.remove(id), signal);
    await removeBlobs(store, `records/${id}.`, { signal });
    if (report.shared !== null)
      throw new SharedFailure(report.shared as PwpErrorCode, report.failure ?? 'no attempt can succeed');
    return { lost, failure: report.failure };
  }

  /** Removes what the study has left in queue and store, once all of its attempts are over. */
  async finish({ signal = neverAborted }: Cancellable = {}): Promise<void> {
    const { queue, store } = this.#options;
    const start = prefixJobs(this.#packed.study);
    const over = await queue.ask(() => queue.jobs.getRanges(['completed', 'failed'], 0, -1), signal);
    for (const id of over) if (id.startsWith(start)) await queue.ask(() => queue.jobs.remove(id), signal);
    await removeBlobs(store, `records/${start}`, { signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch[Symbol.asyncDispose]();
  }

  async #takeRecord(
    { record }: AttemptReport,
    folder: string,
    lost: number,
    signal: AbortSignal,
  ): Promise<void> {
    const [, number = '1'] = /(\d+)$/.exec(folder) ?? [];
    const tries = Array.from({ length: lost + 1 }, (_, index) =>
      join(dirname(folder), `try-${Number(number) + index}`),
    );
    for (const path of tries) await mkdir(path, { recursive: true, mode: 0o700 });
    const last = tries.at(-1) ?? folder;
    if (record === null) return;
    await using scratch = await openTemporaryFolder('record');
    const file = join(scratch.path, 'record.tar');
    await this.#options.store.get(record, file, { signal }).catch(shareStoreFailure);
    const draft = `${last}.tmp`;
    await rm(draft, { recursive: true, force: true });
    await unpackFiles(file, draft);
    await rm(last, { recursive: true });
    await rename(draft, last);
  }

  #nameJob({ folder }: PlannedAttempt, name: string): string {
    return nameJob(this.#packed.study, folder, name);
  }
}

/** The report stays in the queue until its record can be read. */
function shareStoreFailure(error: unknown): never {
  if (!isStoreFailure(error)) throw error;
  throw new SharedFailure(error.code, error.message, {
    cause: error,
    help: `${error.help ?? ''} Then run the same command again to continue the study.`,
  });
}
