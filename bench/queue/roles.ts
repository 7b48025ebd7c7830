import { basename } from 'node:path';
import { neverAborted } from '../../bridge/lib/index.ts';
import { makeTryInProcess } from '../../host/doors/cli/commands/worker.ts';
import {
  type AttemptRunner,
  openBlobStore,
  checkStudy,
  makeOwnPace,
  openAgents,
  openAttemptQueue,
  QueueRunner,
  type QueueTimes,
  runStudy,
  studyConfig,
  type StudyOptions,
  type StudyResult,
  work,
} from '../../host/run/index.ts';
import type { QueueRunnerOptions } from '../../host/run/queue/index.ts';
import { findTasks } from '../../host/tasks/index.ts';
import { type Simulated, simulateTry } from './simulated-try.ts';

/** Those of `pwp worker`. */
export const usualTimes: QueueTimes = { lockMs: 60_000, stalledCheckMs: 30_000 };

export interface WorkerOrder {
  readonly url: string;
  readonly store: string;
  readonly times: QueueTimes;
  readonly parallel: number;
  /** Each try in a process of its own, as `pwp worker` does. */
  readonly processes: boolean;
}

/** Prints a line when it is ready, when a try begins, and when it ends: kind, folder, failure. */
export async function runWorker(order: WorkerOrder, signal: AbortSignal): Promise<void> {
  const { url, store, times, parallel, processes } = order;
  await using queue = await openAttemptQueue(url, times);
  console.log(JSON.stringify(['ready', '', null]));
  await work({
    ...{ queue, store: openBlobStore(store), parallel, spacingMs: 0, signal },
    makeTry: (attempt, folder, stopped) =>
      processes
        ? makeTryInProcess({ attempt, folder, store }, makeOwnPace(), stopped)
        : simulateTry(attempt, folder, stopped),
    onEvent: (event) => {
      if (event.kind !== 'wait') console.log(JSON.stringify([event.kind, event.folder, event.failure]));
    },
  });
}

/** Makes attempts in this process, as many at a time as the study allows. */
export function runInProcess(simulated: Simulated): AttemptRunner {
  return {
    async run({ task, number, folder }, path, { signal = neverAborted }) {
      const attempt = { package: '', study: '', title: '', task: task.id, agent: 0, number, folder };
      const { failure } = await simulateTry(attempt, path, signal, simulated);
      return { lost: 0, failure };
    },
  };
}

export interface ProducerOrder {
  readonly url: string;
  readonly store: string;
  readonly times: QueueTimes;
  /** The study's folder. */
  readonly folder: string;
  readonly attempts: number;
}

/** Follows a study until its end, as `pwp eval --queue` does. */
export async function runProducer(order: ProducerOrder, signal: AbortSignal): Promise<void> {
  const { url, store, times, folder, attempts } = order;
  await using queue = await openAttemptQueue(url, times);
  await using owned = new AsyncDisposableStack();
  const runners: QueueRunner[] = [];
  await playSimulated({
    ...{ folder, attempts, parallel: Infinity, signal },
    openRunner: async (parts) => {
      const given = { queue, store: openBlobStore(store), title: basename(folder), priority: 100, ...parts };
      const runner = owned.use(await QueueRunner.open(given));
      runners.push(runner);
      return runner;
    },
  });
  for (const runner of runners) await runner.finish();
}

const agents = [{ agent: 'oracle' }, { agent: 'null' }] as const;
const taskCount = 10;
/** Attempts of a study are a multiple of this: each agent makes as many at each task. */
export const places = taskCount * agents.length;
/** More than the events that one attempt may meet. */
const tries = 20;

interface SimulatedStudy extends Pick<StudyOptions, 'folder' | 'signal'> {
  readonly attempts: number;
  /** At a time. */
  readonly parallel: number;
  readonly openRunner: (
    parts: Pick<QueueRunnerOptions, 'config' | 'tasks' | 'agents'>,
  ) => AttemptRunner | Promise<AttemptRunner>;
}

/** A study of attempts that are not played: all else of it is real. */
export async function playSimulated(study: SimulatedStudy): Promise<StudyResult> {
  const { folder, attempts, parallel, signal, openRunner } = study;
  const tasks = (await findTasks(['tasks/vscode'])).slice(0, taskCount);
  const paths = tasks.map(({ path }) => path);
  const file = checkStudy({ tasks: paths, agents, attempts: attempts / places, tries }, 'bench');
  const config = studyConfig.strip().parse(file);
  await using opened = await openAgents(agents);
  const parts = { tasks, agents: opened.agents };
  const runner = await openRunner({ config, ...parts });
  return await runStudy({
    ...{ folder, config, run: { ...file, parallel }, ...parts, runner },
    ...(signal && { signal }),
  });
}
