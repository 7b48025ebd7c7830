import { isMainThread, workerData } from 'node:worker_threads';
import { PwpError } from '../../../../bridge/lib/index.ts';

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
