import { isMainThread, workerData } from 'node:worker_threads';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';

export function makeDamagedError(what: string, cause?: unknown): PwpError {
  return new PwpError('checkpoint-damaged', `the checkpoint is damaged: ${what}`, {
    help: 'Delete it and take another one, or restore its parent.',
    ...(cause !== undefined && { cause }),
  });
}

/** The `disk-full` error where a full disk is the cause, else the error itself. */
export function explainWriteError(error: unknown, folder: string): unknown {
  if (!isDiskFull(error)) return error;
  return new PwpError('disk-full', `no space left for checkpoints in ${folder}`, {
    help: 'Free some space, delete checkpoints, or set PWP_CHECKPOINT_BUDGET lower.',
    cause: error,
  });
}

/** Also where a program such as tar or cp met the full disk. */
export function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'disk-full') return true;
  return /No space left on device|Disk quota exceeded/.test(describeError(error));
}

export function isMissingFile(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ENOENT';
}

/**
 * How a job's thread is ended: it is asked to, and looks between two pieces of its work. A thread that is ended from
 * outside while zlib makes a stream takes the process along ("Assertion failed: init_done_").
 */
export type JobStop = Int32Array<SharedArrayBuffer>;

export function newJobStop(): JobStop {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export function stopJob(stop: JobStop): void {
  Atomics.store(stop, 0, 1);
}

/** Throws where the job of this thread is no longer wanted. Does nothing outside of such a thread. */
export function throwIfStopped(): void {
  if (isMainThread) return;
  const { stop } = workerData as { readonly stop?: JobStop };
  if (stop && Atomics.load(stop, 0) === 1) throw new PwpError('job-failed', 'it was stopped');
}
