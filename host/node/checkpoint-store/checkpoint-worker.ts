import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { describeError, isErrorCode, PwpError, type PwpErrorCode } from '../../../bridge/lib/index.ts';
import { type CheckpointJob, runCheckpointJob } from './checkpoint-jobs.ts';
import { isDiskFull, type JobStop } from './store-failures.ts';

/* The thread that does one job and answers once. */

export interface WorkerInput {
  readonly job: CheckpointJob;
  /** Use the processor and the disk only when no other program wants them. */
  readonly idle: boolean;
  /** The flag that asks it to end. */
  readonly stop: JobStop;
}

export type WorkerAnswer =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly code: PwpErrorCode;
      readonly message: string;
      readonly help: string | undefined;
    };

const { job, idle } = workerData as WorkerInput;
if (idle) beIdle();
parentPort?.postMessage(await answer());

async function answer(): Promise<WorkerAnswer> {
  try {
    return { ok: true, value: await runCheckpointJob(job) };
  } catch (error) {
    const help = error instanceof PwpError ? error.help : undefined;
    return { ok: false, code: readErrorCode(error), message: describeError(error), help };
  }
}

function readErrorCode(error: unknown): PwpErrorCode {
  const { code } = error as { code?: unknown };
  if (isErrorCode(code)) return code;
  return isDiskFull(error) ? 'disk-full' : 'job-failed';
}

/** Affects this thread alone: Linux keeps priorities for each. */
function beIdle(): void {
  const thread = basename(readlinkSync('/proc/thread-self'));
  setPriority(Number(thread), 19);
  try {
    execFileSync('ionice', ['-c3', '-p', thread], { stdio: 'ignore' });
  } catch {
    // The disk's time is then shared with the rest, by its nice value.
  }
}
