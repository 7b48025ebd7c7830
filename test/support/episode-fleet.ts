import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pause } from '../../bridge/lib/index.ts';
import { Fleet, frontRoutes, openServer, type Server } from '../../host/doors/serve/index.ts';
import { EpisodeWorkers, type LeaseTimes } from '../../host/run/index.ts';
import type { FakeEpisodesOptions } from './fake-episodes.ts';
import { FakeEpisodes } from './fake-episodes.ts';

export const servedTasks: readonly string[] = ['first', 'second'];
export const serves = 'test';
/** Short, but longer than a busy machine lets a worker wait. */
export const leaseTimes: LeaseTimes = { leaseMs: 5000, renewMs: 500 };

/** What the program of a worker is given. */
export interface WorkerProgramOptions extends Omit<FakeEpisodesOptions, 'worker'> {
  /** Address of the queue. */
  readonly queue: string;
  readonly labels?: readonly string[];
  /** Milliseconds that open episodes have after SIGTERM. */
  readonly leaveMs?: number;
  /** With a certificate of its own. */
  readonly tls?: boolean;
}

/** A worker in a process of its own. Disposing it ends it. */
export interface WorkerProcess extends AsyncDisposable {
  readonly id: string;
  readonly pid: number;
  readonly url: string;
  readonly token: string;
  readonly exited: Promise<unknown>;
}

const program = fileURLToPath(new URL('../programs/episode-worker.ts', import.meta.url));

export async function startEpisodeWorker(options: WorkerProgramOptions): Promise<WorkerProcess> {
  const args = [...process.execArgv, program, JSON.stringify(options)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), exited])) as [unknown];
  if (typeof line !== 'string') throw new Error('the worker ended before it had begun');
  const said = JSON.parse(line) as Pick<WorkerProcess, 'id' | 'url' | 'token'>;
  return {
    ...{ ...said, pid: child.pid ?? 0, exited },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A front of such workers, in this process. */
export interface TestFront extends AsyncDisposable {
  readonly server: Server;
  readonly problems: readonly string[];
  /** Resolves when it can use so many workers. */
  knows(count: number): Promise<void>;
}

/** @param port 0 for a free one */
export async function openTestFront(queue: string, port = 0, token?: string): Promise<TestFront> {
  await using opening = new AsyncDisposableStack();
  const problems: string[] = [];
  const workers = opening.use(await EpisodeWorkers.open(queue, leaseTimes));
  const fleet = opening.use(
    await Fleet.open({
      ...{ workers, serves, lookMs: 100, mostFailures: 2 },
      onProblem: (problem) => void problems.push(problem),
    }),
  );
  const { tasks, tools } = new FakeEpisodes(servedTasks).table;
  const server = opening.use(
    await openServer(frontRoutes({ tasks, tools }, fleet), port, { token, mostSockets: 100 }),
  );
  const owned = opening.move();
  return {
    ...{ server, problems },
    async knows(count) {
      while (fleet.links.length !== count) await pause(20);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
