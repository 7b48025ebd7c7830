import type { BackendFactory, IQueueBackend, Job, Processor, Queue, Worker, WorkerOptions } from 'bullmq';
import {
  collectCauses,
  deadline,
  describeError,
  pause,
  PwpError,
  raceSignal,
} from '../../../bridge/lib/index.ts';
import { programVersion } from '../../lib/index.ts';
import { redactAddress } from '../models/index.ts';
import type { AttemptProgress, AttemptReport, QueuedAttempt } from './queued-attempt.ts';
import type { WorkerState } from './worker-state.ts';

export type AttemptJob = Job<QueuedAttempt, AttemptReport, string, AttemptProgress>;
type JobQueue = Queue<
  QueuedAttempt,
  AttemptReport,
  string,
  QueuedAttempt,
  AttemptReport,
  string,
  IQueueBackend,
  string
>;
export type JobWorker = Worker<QueuedAttempt, AttemptReport, string, IQueueBackend, AttemptProgress, string>;
export type RunJob = Processor<QueuedAttempt, AttemptReport, string, AttemptProgress>;

/** Times of a queue, in milliseconds. */
export interface QueueTimes {
  /** A worker that renews nothing for this long has lost its job. */
  readonly lockMs: number;
  /** Between two looks for such workers. */
  readonly stalledCheckMs: number;
}

const usualTimes: QueueTimes = { lockMs: 60_000, stalledCheckMs: 30_000 };

/** The attempts that wait for workers, in Redis or PostgreSQL. Disposing it closes its connections; the attempts stay. */
export interface AttemptQueue extends AsyncDisposable {
  readonly jobs: JobQueue;
  /** What workers say about themselves, a job each that nothing takes. */
  readonly workers: Queue<WorkerState, unknown, string, WorkerState, unknown, string, IQueueBackend, string>;
  /** As in {@link QueueTimes}. */
  readonly lockMs: number;
  /** Repeats a request while the server does not answer: it may be starting again. */
  ask<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Takes jobs from now on, until it is closed. */
  work(run: RunJob, options: Pick<WorkerOptions, 'concurrency' | 'name'>): JobWorker;
}

/** How often a job may lose its worker. */
const mostStalls = 5;
/** The longest time until a server answers, in milliseconds. */
const connectMs = 10_000;

/** Milliseconds between two requests to a server that does not answer. */
const retryMs = 500;

/** Workers take attempts of their own version alone. */
const queueName = `pwp-${programVersion}`;

/**
 * Opens a queue. Errors: `usage` for an address that is neither Redis's nor PostgreSQL's; `queue-unreachable`.
 * @param address `redis://`, `rediss://` or `postgres://`, with user and password
 */
export async function openAttemptQueue(
  address: string,
  { lockMs, stalledCheckMs }: QueueTimes = usualTimes,
): Promise<AttemptQueue> {
  const kind = readServerKind(address);
  const { createPostgresBackend, createRedisBackend, withBackend } = await import('bullmq');
  const connect: BackendFactory<IQueueBackend, string> = (name, options, more) =>
    kind === 'redis'
      ? // Retries for ever: a worker outlives a restart of the server.
        createRedisBackend(
          name,
          { ...options, connection: { url: address, maxRetriesPerRequest: null } },
          more,
        )
      : createPostgresBackend(
          name,
          { ...options, connection: { connectionString: address, migrate: true } },
          more,
        );
  const classes = withBackend(connect);
  const connection = address;
  await using opening = new AsyncDisposableStack();
  const jobs = opening.adopt(
    new classes.Queue<QueuedAttempt, AttemptReport>(queueName, {
      connection,
      // Reports are kept until the study has read them.
      defaultJobOptions: { removeOnComplete: false, removeOnFail: false, attempts: 1 },
    }),
    (one) => one.close(),
  );
  let last: unknown;
  jobs.on('error', (error) => (last = error));
  const workers = opening.adopt(
    new classes.Queue<WorkerState, unknown, string>(`${queueName}-workers`, { connection }),
    (one) => one.close(),
  );
  workers.on('error', ignoreError);
  await assertReachable(jobs, address, () => last);
  const owned = opening.move();
  return {
    jobs,
    workers,
    lockMs,
    async ask(request, signal) {
      for (;;)
        try {
          return await raceSignal(request(), signal);
        } catch (error) {
          if (signal.aborted || !isConnectionError(error)) throw error;
          await pause(retryMs, signal);
        }
    },
    work(run, options) {
      const worker = owned.adopt(
        new classes.Worker<QueuedAttempt, AttemptReport, string, AttemptProgress>(queueName, run, {
          ...{ connection, ...options },
          ...{ lockDuration: lockMs, stalledInterval: stalledCheckMs, maxStalledCount: mostStalls },
        }),
        (one) => one.close(),
      );
      worker.on('error', ignoreError);
      return worker;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Connections that break are made again. Without a listener the process would end. */
function ignoreError(): void {
  // Each command that fails says so to its own caller.
}

/** Of Node.js, of PostgreSQL while it stops or starts, and of its client. Redis's client retries by itself. */
const connectionCodes: readonly unknown[] = [
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'],
  ...['57P01', '57P02', '57P03', '08006', '08003', '53300'],
];

function isConnectionError(error: unknown): boolean {
  return [error, ...collectCauses(error)].some(
    (at) =>
      at instanceof Error &&
      (('code' in at && connectionCodes.includes(at.code)) || /^Connection terminated/.test(at.message)),
  );
}

/** Errors: `usage` for an address of neither. */
export function readServerKind(address: string): 'redis' | 'postgres' {
  const scheme = /^(\w+):\/\/./.exec(address)?.[1] ?? '';
  if (['redis', 'rediss'].includes(scheme)) return 'redis';
  if (['postgres', 'postgresql'].includes(scheme)) return 'postgres';
  throw new PwpError('usage', `${JSON.stringify(redactAddress(address))} is not a queue`, {
    help: 'Expected e.g. redis://127.0.0.1:6379 or postgres://user:password@host/database.',
  });
}

/** @param lastError of its connection, which is made again and again */
async function assertReachable(jobs: JobQueue, address: string, lastError: () => unknown): Promise<void> {
  using limit = deadline('the queue to answer', connectMs);
  try {
    await raceSignal(jobs.getJobCounts('waiting'), limit.signal);
  } catch (cause) {
    const where = redactAddress(address);
    const why = describeError(lastError() ?? cause) || describeError(cause);
    throw new PwpError('queue-unreachable', `${where} can't be reached: ${why}`, {
      cause,
      help: 'Start the server, or correct --queue.',
    });
  }
}
