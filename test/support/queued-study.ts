import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type AttemptQueue,
  type BlobStore,
  checkStudy,
  openAgents,
  QueueRunner,
  runStudy,
  type StudyResult,
} from '../../host/run/index.ts';
import { findTasks } from '../../host/tasks/index.ts';

const program = fileURLToPath(new URL('../programs/queue-worker.ts', import.meta.url));
const tasks = ['tasks/vscode/autosave-500', 'tasks/general-swe/rename-class'];

export interface StartedWorker extends AsyncDisposable {
  /** Resolves when it has begun a try. */
  readonly begun: Promise<unknown>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

export interface WorkerStart {
  readonly queue: string;
  readonly store: string;
  /** How long a try takes, in milliseconds, on average. */
  readonly ms: number;
  readonly parallel?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** A worker in a process of its own, whose tries play nothing. */
export function startQueueWorker({
  queue,
  store,
  ms,
  parallel = 4,
  env = process.env,
}: WorkerStart): StartedWorker {
  const args = [...process.execArgv, program, queue, store, String(parallel), String(ms)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return {
    begun: once(createInterface(child.stdout), 'line'),
    ended,
    async [Symbol.asyncDispose]() {
      child.stdin.destroy();
      await ended;
    },
  };
}

/** Has the attempts of two tasks made by the workers of a queue. */
export async function playQueuedStudy(
  queue: AttemptQueue,
  store: BlobStore,
  folder: string,
  attempts: number,
  signal?: AbortSignal,
): Promise<StudyResult> {
  const found = await findTasks(tasks);
  await using opened = await openAgents([{ agent: 'oracle' }]);
  const config = checkStudy({ tasks, agents: [{ agent: 'oracle' }], attempts, tries: 1 }, 'test');
  const parts = { config, tasks: found, agents: opened.agents };
  await using runner = await QueueRunner.open({
    queue,
    store,
    title: 'study',
    priority: 100,
    signal,
    ...parts,
  });
  const run = { ...config, parallel: Infinity };
  const result = await runStudy({ ...parts, folder, runner, run, ...(signal && { signal }) });
  await runner.finish();
  return result;
}
