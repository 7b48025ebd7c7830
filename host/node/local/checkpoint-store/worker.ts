import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PwpError, isErrorCode, messageOf, type PwpErrorCode } from '../../../../bridge/lib/index.ts';
import { isDiskFull } from './errors.ts';
import type { JobStop } from './job-stop.ts';
import { runJob, type Job } from './jobs.ts';

/* The thread that does one job and answers once. */

export interface WorkerInput {
  readonly job: Job;
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
    return { ok: true, value: await runJob(job) };
  } catch (error) {
    const help = error instanceof PwpError ? error.help : undefined;
    return { ok: false, code: codeOf(error), message: messageOf(error), help };
  }
}

function codeOf(error: unknown): PwpErrorCode {
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
