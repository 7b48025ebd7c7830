import { Worker } from 'node:worker_threads';
import { PwpError, raceSignal } from '../../../../bridge/lib/index.ts';
import { newJobStop, stopJob } from './job-stop.ts';
import type { Job, ResultOfJob } from './jobs.ts';
import type { WorkerAnswer, WorkerInput } from './worker.ts';

/**
 * Does a job in a thread of its own, which has ended by then. Errors: those of the job, or the signal's reason, as soon
 * as the piece of work at hand is done.
 */
export async function work<J extends Job>(
  job: J,
  options: { readonly idle: boolean; readonly signal: AbortSignal },
): Promise<ResultOfJob<J>> {
  options.signal.throwIfAborted();
  const input: WorkerInput = { job, idle: options.idle, stop: newJobStop() };
  const worker = new Worker(entry(), { workerData: input, execArgv: [] });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  try {
    const answer = await raceSignal(answerOf(worker), options.signal);
    if (answer.ok) return answer.value as ResultOfJob<J>;
    throw new PwpError(answer.code, answer.message, answer.help === undefined ? {} : { help: answer.help });
  } finally {
    stopJob(input.stop);
    await ended;
  }
}

function answerOf(worker: Worker): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) =>
      reject(new PwpError('job-failed', `the thread of a checkpoint's job ended with code ${code}`)),
    );
  });
}

/** Beside this file in the source; beside the bundle that this file became a part of. */
function entry(): URL {
  const inSource = import.meta.url.endsWith('.ts');
  return new URL(inSource ? './worker.ts' : './checkpoint-worker.js', import.meta.url);
}
