import type { AttemptJob, AttemptQueue } from './attempt-queue.ts';
import { attemptProgress } from './queued-attempt.ts';

/** A study's attempts in a queue. Those that the study has read are no longer there. */
export interface QueuedStudy {
  readonly title: string;
  /** Hash of its definition. */
  readonly study: string;
  /** Those of a lower number are made first. */
  readonly priority: number;
  readonly waiting: number;
  readonly underWay: number;
  /** Made, and not read by the study yet. */
  readonly made: number;
  /** Given up by the queue, and not read yet. */
  readonly failed: number;
}

/** An attempt that a worker has. */
export interface WorkedAttempt {
  /** Host and process. */
  readonly worker: string;
  readonly title: string;
  readonly folder: string;
  readonly startedAt: string;
  /** Tries whose workers were lost. */
  readonly lost: number;
}

export interface QueueState {
  readonly paused: boolean;
  readonly studies: readonly QueuedStudy[];
  /** Connected workers by name, each with the attempts that it makes. */
  readonly workers: readonly string[];
  readonly underWay: readonly WorkedAttempt[];
}

const waitingTypes = ['waiting', 'prioritized', 'delayed'] as const;
/** Jobs that are read at a time. */
const pageSize = 1000;

/** What is in a queue now. */
export async function describeQueue(queue: AttemptQueue): Promise<QueueState> {
  const { jobs } = queue;
  const [waiting, active, completed, failed] = await Promise.all([
    listJobs(queue, [...waitingTypes]),
    listJobs(queue, ['active']),
    listJobs(queue, ['completed']),
    listJobs(queue, ['failed']),
  ]);
  const all = [...waiting, ...active, ...completed, ...failed];
  const count = (some: readonly AttemptJob[], study: string) =>
    some.filter(({ data }) => data.study === study).length;
  const studies = [...new Map(all.map((job) => [job.data.study, job]))]
    .map(([study, { data, priority }]) => ({
      ...{ title: data.title, study, priority, waiting: count(waiting, study) },
      ...{ underWay: count(active, study), made: count(completed, study), failed: count(failed, study) },
    }))
    .toSorted((a, b) => a.priority - b.priority);
  const underWay = active.map(({ data: { title, folder }, progress }) => {
    const starts = attemptProgress.safeParse(progress).data?.starts ?? [];
    const { worker = '', startedAt = '' } = starts.at(-1) ?? {};
    return { worker, title, folder, startedAt, lost: Math.max(0, starts.length - 1) };
  });
  const workers = (await jobs.getWorkers()).flatMap(({ name }) => name ?? []);
  return { paused: await jobs.isPaused(), studies, workers: [...new Set(workers)].toSorted(), underWay };
}

/**
 * Takes a study's attempts out of the queue. Workers end those that are under way within seconds.
 * @param wanted its name, or the beginning of its hash
 */
export async function cancelStudy(
  queue: AttemptQueue,
  wanted: string,
): Promise<{ readonly removed: number; readonly ending: number }> {
  const isWanted = ({ data: { title, study } }: AttemptJob) =>
    title === wanted || (wanted.length >= 6 && study.startsWith(wanted));
  let removed = 0;
  for (const job of (await listJobs(queue, [...waitingTypes])).filter(isWanted)) {
    // A worker may have begun it meanwhile: then it is among the next.
    const isRemoved = await job.remove().then(
      () => true,
      () => false,
    );
    if (isRemoved) removed += 1;
  }
  const ending = (await listJobs(queue, ['active'])).filter(isWanted);
  for (const job of ending) await job.updateData({ ...job.data, cancelled: true });
  return { removed, ending: ending.length };
}

async function listJobs(
  { jobs }: AttemptQueue,
  types: readonly ('waiting' | 'prioritized' | 'delayed' | 'active' | 'completed' | 'failed')[],
): Promise<AttemptJob[]> {
  const found: AttemptJob[] = [];
  for (let at = 0; ; at += pageSize) {
    const page = await jobs.getJobs([...types], at, at + pageSize - 1);
    // A job that has just gone is undefined, although the type does not say so.
    found.push(...(page as (AttemptJob | undefined)[]).filter((job) => job !== undefined));
    if (page.length < pageSize) return found;
  }
}
