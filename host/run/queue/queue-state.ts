import type { AttemptJob, AttemptQueue } from './attempt-queue.ts';
import { attemptProgress, type QueuedAttempt } from './queued-attempt.ts';
import { type ConnectedWorker, listWorkers } from './worker-list.ts';
import type { WorkerState } from './worker-state.ts';

/** A study's attempts in a queue. Those that the study has read are no longer there. */
export interface QueuedStudy {
  readonly title: string;
  /** Hash of its definition. */
  readonly study: string;
  /** Those of a lower number are made first. */
  readonly priority: number;
  readonly waiting: number;
  readonly underWay: number;
  /** Over, and not read by the study yet. */
  readonly unread: number;
  /** Made by the workers that are connected, since they began. */
  readonly made: number;
  /** Those among them that left no record of their end, and those that the queue gave up. */
  readonly failed: number;
  /** In the last hour; 0 if there was none. */
  readonly perMinute: number;
  /** Milliseconds until it is over at that rate; null if that is not known. */
  readonly leftMs: number | null;
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
  /** Those that come first are first. */
  readonly studies: readonly QueuedStudy[];
  /** Connected workers by name. */
  readonly workers: readonly ConnectedWorker[];
  readonly underWay: readonly WorkedAttempt[];
  /** The last ones of the workers that are connected, newest first. */
  readonly errors: WorkerState['errors'];
}

const waitingTypes = ['waiting', 'prioritized', 'delayed'] as const;
const allTypes = [...waitingTypes, 'active', 'completed', 'failed'] as const;
/** Jobs that are read at a time. */
const pageSize = 1000;
const mostErrors = 20;

/** What is in a queue now. */
export async function describeQueue(queue: AttemptQueue): Promise<QueueState> {
  const { jobs } = queue;
  const list = async (...types: readonly (typeof allTypes)[number][]) =>
    groupByStudy(await jobs.getRanges([...types], 0, -1));
  const [waiting, active, completed, failed, workers] = await Promise.all([
    ...[list(...waitingTypes), list('active'), list('completed'), list('failed')],
    listWorkers(queue),
  ] as const);
  const states = workers.flatMap(({ state }) => state ?? []);
  const prefixes = new Set([waiting, active, completed, failed].flatMap((group) => [...group.keys()]));
  const studies: QueuedStudy[] = [];
  for (const prefix of prefixes) {
    const [own, begun, over, lost] = [waiting, active, completed, failed].map(
      (group) => group.get(prefix) ?? [],
    ) as [string[], string[], string[], string[]];
    const job = await findJob(queue, [...own, ...begun, ...over, ...lost]);
    if (!job) continue;
    const made = sumMade(job.data, states);
    const open = own.length + begun.length;
    studies.push({
      ...{ title: job.data.title, study: job.data.study, priority: job.priority },
      ...{ waiting: own.length, underWay: begun.length, unread: over.length + lost.length },
      ...{ ...made, failed: made.failed + lost.length },
      leftMs: made.perMinute === 0 ? null : (open * 60_000) / made.perMinute,
    });
  }
  return {
    paused: await jobs.isPaused(),
    studies: studies.toSorted((a, b) => a.priority - b.priority),
    workers,
    underWay: (await listJobs(queue, ['active'])).map(describeWorked),
    errors: states
      .flatMap(({ errors }) => errors)
      .toSorted((a, b) => (a.at < b.at ? 1 : -1))
      .slice(0, mostErrors),
  };
}

/** Ids of jobs by their studies: the beginning, up to a dot. Their data are not needed, and may be thousands. */
function groupByStudy(ids: readonly string[]): Map<string, string[]> {
  return Map.groupBy(ids, (id) => id.slice(0, id.indexOf('.') + 1));
}

/** The first that is still there. */
async function findJob(
  { jobs }: AttemptQueue,
  ids: readonly string[],
): Promise<Pick<AttemptJob, 'data' | 'priority'> | undefined> {
  for (const id of ids) {
    const job = await jobs.getJob(id);
    if (job) return job;
  }
  return undefined;
}

function sumMade({ study }: QueuedAttempt, states: readonly WorkerState[]) {
  const own = states.flatMap(({ made }) => made.filter((one) => one.study === study));
  const sum = (name: 'made' | 'failed' | 'perMinute') => own.reduce((all, one) => all + one[name], 0);
  return { made: sum('made'), failed: sum('failed'), perMinute: sum('perMinute') };
}

function describeWorked({ data: { title, folder }, progress }: AttemptJob): WorkedAttempt {
  const starts = attemptProgress.safeParse(progress).data?.starts ?? [];
  const { worker = '', startedAt = '' } = starts.at(-1) ?? {};
  return { worker, title, folder, startedAt, lost: Math.max(0, starts.length - 1) };
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

/** The attempts in a queue. Default: in every state. */
export async function listJobs(
  { jobs }: AttemptQueue,
  types: readonly (typeof allTypes)[number][] = allTypes,
): Promise<AttemptJob[]> {
  const found: AttemptJob[] = [];
  for (let at = 0; ; at += pageSize) {
    const page = await jobs.getJobs([...types], at, at + pageSize - 1);
    // A job that has just gone is undefined, although the type does not say so.
    found.push(...(page as (AttemptJob | undefined)[]).filter((job) => job !== undefined));
    if (page.length < pageSize) return found;
  }
}
