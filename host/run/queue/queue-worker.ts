import { hostname } from 'node:os';
import { join } from 'node:path';
import { create } from 'tar';
import { deadline, describeError, pause, PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import { openTemporaryFolder, pathExists } from '../../lib/index.ts';
import type { AttemptJob, AttemptQueue } from './attempt-queue.ts';
import { type BlobStore, isStoreFailure } from './blob-store.ts';
import { Intake } from './intake.ts';
import {
  attemptProgress,
  type AttemptReport,
  type KilledTry,
  queuedAttempt,
  type QueuedAttempt,
} from './queued-attempt.ts';
import { publishWorker, removeWorker } from './worker-list.ts';
import type { MachineRoom } from './worker-state.ts';
import { WorkTally } from './work-tally.ts';

/** How a try ended for its worker. */
export type WorkedTry = Pick<AttemptReport, 'failure' | 'shared'>;

/** Makes one try, in a process of its own, and leaves its record in the folder. */
export type MakeTry = (attempt: QueuedAttempt, folder: string, signal: AbortSignal) => Promise<WorkedTry>;

/** What a worker does. */
export type WorkEvent =
  | {
      readonly kind: 'begin' | 'end';
      /** The study's name. */
      readonly title: string;
      /** The attempt's folder in it. */
      readonly folder: string;
      /** Why it left no record of its end; null if it did, and while it is under way. */
      readonly failure: string | null;
    }
  /** It takes no attempt for now, or takes some again: then why is null. */
  | { readonly kind: 'wait'; readonly why: string | null };

export interface WorkOptions {
  readonly queue: AttemptQueue;
  readonly store: BlobStore;
  /** Attempts at a time. */
  readonly parallel: number;
  readonly makeTry: MakeTry;
  /**
   * What the machine has room for, besides attempts that are under way. Default: for all.
   * @param underWay their number
   */
  readonly measureRoom?: (underWay: number) => Promise<MachineRoom>;
  /** Milliseconds from one attempt that it takes to the next. Default 2000: an IDE restores or boots in seconds. */
  readonly spacingMs?: number;
  readonly onEvent?: (event: WorkEvent) => void;
  /** Gives back what is under way, and ends. */
  readonly signal: AbortSignal;
}

const defaultSpacingMs = 2000;
/** The longest time until all is given back, in milliseconds. The process of a try may take 20 seconds of it. */
const leaveMs = 25_000;
/** Milliseconds between two looks whether a study was cancelled. */
const cancelCheckMs = 5000;
/** The longest time to give one attempt back, in milliseconds. */
const giveBackMs = 15_000;

/** Why a job's signal fires. */
const reasons = {
  lost: 'its lock was lost',
  cancelled: 'the study was cancelled',
  leaving: 'the worker ends',
};

/**
 * Makes attempts of a queue until the signal fires. Never makes one of another version. Errors: `queue-unreachable` if
 * nothing could be given back at its end; connections to the server are then still tried. Those of {@link BlobStore} once
 * the store can't be used; what is under way is given back then, too.
 */
export async function work(options: WorkOptions): Promise<void> {
  const { queue, parallel, signal, measureRoom, spacingMs = defaultSpacingMs } = options;
  const name = `${hostname()}:${process.pid}`;
  const over = Promise.withResolvers<never>();
  const desk = {
    name,
    tally: new WorkTally(),
    underWay: 0,
    mayBegin: () => !signal.aborted && !intake.isShort,
    stop: over.reject,
  };
  // BullMQ gives a signal to functions of three parameters.
  const worker = queue.work((job, token, lost) => workOn(job, token ?? '', lost ?? signal, desk, options), {
    concurrency: parallel,
    name,
  });
  const publish = makePublisher(desk, options);
  const intake: Intake = new Intake(worker, {
    spacingMs,
    measure: async () =>
      (await measureRoom?.(desk.underWay)) ?? { fits: parallel - desk.underWay, waits: null },
    onLook: publish,
  });
  worker.on('lockRenewalFailed', (ids) => ids.forEach((id) => worker.cancelJob(id, reasons.lost)));
  // Not a broken connection, which is made again: the loop itself.
  worker.on('closed', () => over.reject(new Error('the worker closed')));
  const why: unknown = await raceSignal(over.promise, signal).catch((error: unknown) => error);
  const closed = worker.close();
  worker.cancelAllJobs(reasons.leaving);
  await endInTime(async () => {
    await Promise.all([closed, intake[Symbol.asyncDispose]()]);
    await removeWorker(queue, name);
  });
  if (!signal.aborted) throw why;
}

/** Errors: `queue-unreachable`. */
async function endInTime(end: () => Promise<void>): Promise<void> {
  using limit = deadline('the queue to take back what is under way', leaveMs);
  try {
    await raceSignal(end(), limit.signal);
  } catch (cause) {
    throw new PwpError('queue-unreachable', 'the queue does not answer, and can take nothing back', {
      cause,
      help: 'Other workers make the attempts again a minute after it answers.',
    });
  }
}

/** What a worker knows of itself. */
interface WorkDesk {
  readonly name: string;
  readonly tally: WorkTally;
  /** Attempts that it makes. */
  underWay: number;
  /** Whether an attempt that came is made: it may have been requested before the worker ends or runs short. */
  readonly mayBegin: () => boolean;
  /** Ends the worker. */
  readonly stop: (why: unknown) => void;
}

/** Milliseconds between two reports of a worker about itself. */
const publishMs = 5000;

function makePublisher(
  { name, tally }: WorkDesk,
  { queue, parallel, onEvent }: WorkOptions,
): (room: MachineRoom) => Promise<void> {
  let [saidAt, waited]: [number, string | null] = [-Infinity, null];
  return async (room) => {
    const { waits } = room;
    const hasChanged = (waits === null) !== (waited === null);
    if (hasChanged) onEvent?.({ kind: 'wait', why: waits });
    waited = waits;
    if (!hasChanged && performance.now() - saidAt < publishMs) return;
    saidAt = performance.now();
    await publishWorker(queue, { name, since: tally.since, parallel, ...room, ...tally.describe() });
  };
}

async function workOn(
  job: AttemptJob,
  token: string,
  lost: AbortSignal,
  desk: WorkDesk,
  options: WorkOptions,
): Promise<AttemptReport> {
  if (!desk.mayBegin()) return await leave(job, token, lost, options.queue);
  const { name: worker, tally } = desk;
  desk.underWay += 1;
  try {
    // A try whose record can't be kept is in vain.
    await options.store.check({ signal: lost, patient: true });
    const attempt = queuedAttempt.parse(job.data);
    const killed = await signUp(options.queue, job, worker, lost);
    const made = await makeUncancelledTry(attempt, job.id ?? '', killed.length, lost, options);
    await assertOwned(job, token, made.record, lost, options);
    tally.count(attempt, made.failure);
    return { worker, killed, ...made };
  } catch (error) {
    if (lost.aborted) return await leave(job, token, lost, options.queue);
    if (!isStoreFailure(error)) {
      tally.count(job.data, describeError(error));
      throw error;
    }
    desk.stop(error);
    return await leave(job, token, lost, options.queue);
  } finally {
    desk.underWay -= 1;
  }
}

/** The queue refuses the report of a worker whose lock is another's; this removes its record, too. */
async function assertOwned(
  job: AttemptJob,
  token: string,
  record: string | null,
  lost: AbortSignal,
  { queue, store }: WorkOptions,
): Promise<void> {
  const isOwned = await queue.ask(() => job.extendLock(token, queue.lockMs), lost).catch(() => 0);
  if (isOwned && !lost.aborted) return;
  if (record !== null) await store.remove(record);
  throw new Error(reasons.lost);
}

/** @param number of the try: two workers that make the same attempt don't put their records into one place */
async function makeUncancelledTry(
  attempt: QueuedAttempt,
  id: string,
  number: number,
  lost: AbortSignal,
  { queue, store, makeTry, onEvent }: WorkOptions,
): Promise<Pick<AttemptReport, 'record' | 'failure' | 'shared'>> {
  const { title, folder: place } = attempt;
  onEvent?.({ kind: 'begin', title, folder: place, failure: null });
  await using scratch = await openTemporaryFolder('attempt');
  const over = new AbortController();
  const watching = watchCancelled(queue, id, over);
  try {
    const folder = join(scratch.path, 'record');
    const { failure, shared } = await makeTry(attempt, folder, AbortSignal.any([lost, over.signal]));
    over.signal.throwIfAborted();
    // How it ended does not count: it is given back, or another's already.
    lost.throwIfAborted();
    const record = await putRecord(store, `records/${id}.${number}.tar`, scratch.path, lost);
    onEvent?.({ kind: 'end', title, folder: place, failure });
    return { record, failure, shared };
  } catch (error) {
    if (lost.aborted || !over.signal.aborted) throw error;
    return { record: null, shared: 'cancelled', failure: reasons.cancelled };
  } finally {
    over.abort(reasons.leaving);
    await watching;
  }
}

/** @returns earlier tries of the job, whose workers were lost */
async function signUp(
  queue: AttemptQueue,
  job: AttemptJob,
  worker: string,
  lost: AbortSignal,
): Promise<KilledTry[]> {
  const killed = attemptProgress.safeParse(job.progress).data?.starts ?? [];
  const startedAt = new Date().toISOString();
  await queue.ask(() => job.updateProgress({ starts: [...killed, { worker, startedAt }] }), lost);
  return killed;
}

/** Gives a job back that its worker does not finish. A lost one is already another's. */
async function leave(job: AttemptJob, token: string, lost: AbortSignal, queue: AttemptQueue): Promise<never> {
  if (lost.reason === reasons.lost) throw new Error(reasons.lost);
  const { WaitingError } = await import('bullmq');
  using limit = deadline('giving an attempt back', giveBackMs);
  await queue.ask(() => job.moveToWait(token), limit.signal);
  throw new WaitingError();
}

async function watchCancelled(queue: AttemptQueue, id: string, over: AbortController): Promise<void> {
  while (!over.signal.aborted) {
    await pause(cancelCheckMs, over.signal).catch(() => undefined);
    const job = over.signal.aborted ? undefined : await queue.jobs.getJob(id).catch(() => undefined);
    if (job?.data.cancelled) over.abort(reasons.cancelled);
  }
}

/** Null if the try left none. */
async function putRecord(
  store: BlobStore,
  name: string,
  scratch: string,
  signal: AbortSignal,
): Promise<string | null> {
  const file = join(scratch, 'record.tar');
  const folder = join(scratch, 'record');
  if (!(await pathExists(folder))) return null;
  await create({ cwd: folder, file, portable: true }, ['.']);
  await store.put(name, file, { signal });
  return name;
}
