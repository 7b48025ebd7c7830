export { type AttemptQueue, openAttemptQueue, type QueueTimes } from './attempt-queue.ts';
export type { BlobStore } from './blob-store.ts';
export {
  type EpisodeWorker,
  EpisodeWorkers,
  type LeaseTimes,
  makeWorkerId,
  prefixIds,
  readWorkerId,
} from './episode-workers.ts';
export { makeQueuedTry, type QueuedTryOptions } from './make-try.ts';
export { cleanStore, type CleanedStore } from './clean-store.ts';
export { openBlobStore } from './open-store.ts';
export {
  cancelStudy,
  describeQueue,
  type QueuedStudy,
  type QueueState,
  type WorkedAttempt,
} from './queue-state.ts';
export { openQueuePace, type QueuePace } from './queue-pace.ts';
export { QueueRunner, type QueueRunnerOptions } from './queue-runner.ts';
export { type MakeTry, work, type WorkedTry, type WorkEvent, type WorkOptions } from './queue-worker.ts';
export { type QueuedAttempt, queuedAttempt } from './queued-attempt.ts';
export type { ConnectedWorker } from './worker-list.ts';
export type { MachineRoom } from './worker-state.ts';
