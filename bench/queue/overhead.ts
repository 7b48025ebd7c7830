import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openTemporaryFolder } from '../../host/lib/index.ts';
import { openAttemptQueue, openBlobStore, QueueRunner } from '../../host/run/index.ts';
import { GapWatch } from '../lib/gaps.ts';
import { openPostgres, openRedis, type QueueServer } from '../lib/queue-server.ts';
import { summarise } from '../lib/stats.ts';
import { type Pair, renderComparison } from '../lib/table.ts';
import { BenchProcess, buildProgram, readTreeCpu } from './processes.ts';
import { places, playSimulated, runInProcess, usualTimes } from './roles.ts';
import { simulatedEnv } from './simulated-try.ts';

/** Lengths of attempts in milliseconds. */
const lengths = [0, 100, 1000];
/** Attempts at a time, and pairs of studies. */
const [width, rounds] = [4, 5];
const attempts = 2 * places;

/** One study, per attempt and place: the time that one attempt keeps its place from the next, and processor time. */
interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

/**
 * What the queue adds to short attempts: the same studies in this process and by one worker, by turns. Processor time is
 * of all that take part: this process, worker and server.
 */
export async function overhead(signal: AbortSignal): Promise<void> {
  const program = await buildProgram();
  const times: Pair[] = [];
  const cpu: Pair[] = [];
  const ways = [
    { name: 'Redis', open: openRedis, processes: false },
    { name: 'Redis, a process each', open: openRedis, processes: true },
    { name: 'PostgreSQL', open: openPostgres, processes: false },
  ];
  for (const { name, open, processes } of ways)
    for (const ms of lengths) {
      await using server = await open();
      const pairs = await comparePairs({ server, program, processes, ms, signal });
      const what = `${name}, ${ms} ms`;
      const column = (side: 'alone' | 'queued', unit: keyof Cost) =>
        summarise(pairs.map((pair) => pair[side][unit]));
      times.push({ what, first: column('alone', 'ms'), second: column('queued', 'ms') });
      cpu.push({ what: `${what}: CPU`, first: column('alone', 'cpuMs'), second: column('queued', 'cpuMs') });
    }
  console.log(`an attempt, ${attempts} in a study, ${width} at a time`);
  const names = ['in process', 'queue', 'queue / in process'] as const;
  console.log(renderComparison(names, [...times, ...cpu], (alone, queued) => queued / alone));
}

interface PairOptions {
  readonly server: QueueServer;
  readonly program: string;
  readonly processes: boolean;
  readonly ms: number;
  readonly signal: AbortSignal;
}

async function comparePairs({ server, program, processes, ms, signal }: PairOptions) {
  await using scratch = await openTemporaryFolder('overhead');
  const store = join(scratch.path, 'store');
  await mkdir(store);
  const simulated = { ms, spread: 0, failing: 0 };
  const order = { url: server.url, store, times: usualTimes, parallel: width, processes };
  await using worker = new BenchProcess('worker', order, {
    ...{ program, mark: String(process.pid), env: simulatedEnv(simulated) },
  });
  await using queue = await openAttemptQueue(server.url);
  let made = 0;
  const play = (isQueued: boolean) =>
    timed(isQueued ? [process.pid, server.pid, worker.pid] : [process.pid], async () => {
      const title = String(made++);
      await using owned = new AsyncDisposableStack();
      await playSimulated({
        ...{ folder: join(scratch.path, title), attempts, parallel: isQueued ? Infinity : width, signal },
        openRunner: async (parts) =>
          isQueued
            ? owned.use(
                await QueueRunner.open({
                  queue,
                  store: openBlobStore(store),
                  title,
                  priority: 100,
                  ...parts,
                }),
              )
            : runInProcess(simulated),
      });
    });
  using gaps = new GapWatch();
  const pairs: { readonly alone: Cost; readonly queued: Cost }[] = [];
  // The first pair warms up.
  for (let round = -1; round < rounds;) {
    const isFirst = made % 4 === 0;
    const one = await play(!isFirst);
    const other = await play(isFirst);
    if (gaps.take() > 0) continue;
    if (round >= 0) pairs.push(isFirst ? { alone: one, queued: other } : { alone: other, queued: one });
    round += 1;
  }
  return pairs;
}

async function timed(pids: readonly number[], run: () => Promise<void>): Promise<Cost> {
  const cpuBefore = await readTreeCpu(pids);
  const start = performance.now();
  await run();
  const ms = ((performance.now() - start) * width) / attempts;
  return { ms, cpuMs: ((await readTreeCpu(pids)) - cpuBefore) / attempts };
}
