import * as z from 'zod';

export const blobName = z.string().regex(/^[\w][\w.~/-]{0,400}$/);

/** One try of an attempt, as it waits for a worker. */
export const queuedAttempt = z.strictObject({
  /** The study's package in the store: {@link studyPackage}. */
  package: blobName,
  /** Hash of the study's definition. */
  study: z.string().max(100),
  /** The study's name for people: its folder's. */
  title: z.string().max(300),
  task: z.string().max(500),
  /** Place of the agent in the study. */
  agent: z.int().nonnegative(),
  number: z.int().positive(),
  /** Below the study's folder, as in the plan. */
  folder: z.string().max(1000),
  /** The study was cancelled: workers end the try. */
  cancelled: z.boolean().optional(),
});
export type QueuedAttempt = z.output<typeof queuedAttempt>;

/** A try that its worker did not finish. */
export const killedTry = z.object({ worker: z.string().max(300), startedAt: z.iso.datetime() });
export type KilledTry = z.output<typeof killedTry>;

/** What a worker returns. The queue takes it from the holder of the job's lock alone, once: that is the commit. */
export const attemptReport = z.strictObject({
  worker: z.string().max(300).describe('host and process'),
  /** The record of the try in the store, as a tar; null if it left none. */
  record: blobName.nullable(),
  /** Why there is no record of its end; null if there is one. */
  failure: z.string().max(10_000).nullable(),
  /** Code of a failure that all other attempts of the agent would share; null for others. */
  shared: z.string().max(100).nullable(),
  /** Tries of the same job before this one. */
  killed: z.array(killedTry).max(1000),
});
export type AttemptReport = z.output<typeof attemptReport>;

/** What a worker has said about a job: who has tried it. */
export const attemptProgress = z.object({ starts: z.array(killedTry).max(1000) });
export type AttemptProgress = z.output<typeof attemptProgress>;

/** The id of the job of a try: the same each time, so that it is in the queue once. Names of folders have no `_`. */
export function nameJob(study: string, folder: string, name: string): string {
  return `${prefixJobs(study)}${folder.replaceAll('/', '_')}_${name}`;
}

/** The beginning of the ids of a study's jobs. */
export function prefixJobs(study: string): string {
  return `${study.slice(0, 16)}.`;
}
