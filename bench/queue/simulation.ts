import { mkdir, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pause, raceSignal } from '../../bridge/lib/index.ts';
import { openTemporaryFolder } from '../../host/lib/index.ts';
import { type AttemptResult, readStudy } from '../../host/run/index.ts';
import { GapWatch } from '../lib/gaps.ts';
import { openPostgres, type OpenQueueServer, openRedis } from '../lib/queue-server.ts';
import { rewardOf } from '../lib/queued-tries.ts';
import { renderCells } from '../lib/table.ts';
import { BenchProcess, buildProgram, listChildren, readMemory, readTreeCpu } from './processes.ts';
import { usualTimes } from './roles.ts';
import { simulatedEnv } from './simulated-try.ts';

const variety = { spread: 0.5, failing: 0.02 };
const sampleMs = 2000;
/** Connections of one worker or producer to PostgreSQL, and some for all. */
const [connectionsEach, connectionsMore] = [10, 50];

/**
 * A study of many attempts by many worker processes over one server: rates, memory and processor time, and whether
 * results are lost or counted twice, by what is in the study's folder and what workers say that they did.
 */
export async function simulation(
  signal: AbortSignal,
  { workers, parallel, attempts, ms }: Pick<SimulationOptions, 'workers' | 'parallel' | 'attempts' | 'ms'>,
): Promise<void> {
  const program = await buildProgram();
  const columns: Figures[] = [];
  for (const [name, open] of [
    ['Redis', openRedis],
    ['PostgreSQL', openPostgres],
  ] as const)
    columns.push({ name, ...(await simulate(open, { program, workers, parallel, attempts, ms, signal })) });
  const rows = Object.keys(columns[0] ?? {});
  console.log(`${attempts} attempts of ${ms} ms, ${workers} workers with ${parallel} at a time`);
  console.log(
    renderCells(rows.map((row) => [row === 'name' ? '' : row, ...columns.map((one) => textOf(one[row]))])),
  );
  const wrong = columns.filter((one) => one.lost + one.doubled + one['wrong results'] > 0);
  if (wrong.length > 0)
    throw new Error(`results are lost, doubled or wrong: ${wrong.map(({ name }) => name).join()}`);
}

type Figures = { readonly name: string } & Record<string, number | string> & Counts;

interface Counts {
  readonly lost: number;
  readonly doubled: number;
  readonly 'wrong results': number;
}

function textOf(value: number | string | undefined): string {
  return typeof value === 'number' ? value.toFixed(Number.isInteger(value) ? 0 : 1) : (value ?? '');
}

interface SimulationOptions {
  readonly program: string;
  readonly workers: number;
  /** Attempts that each makes at a time, as on a machine with room for as many IDEs. */
  readonly parallel: number;
  readonly attempts: number;
  /** Mean length of an attempt. */
  readonly ms: number;
  readonly signal: AbortSignal;
}

async function simulate(open: OpenQueueServer, options: SimulationOptions) {
  const { program, workers: count, parallel, attempts, ms, signal } = options;
  await using owned = new AsyncDisposableStack();
  const server = owned.use(await open(count * connectionsEach + connectionsMore));
  const { path } = owned.use(await openTemporaryFolder('simulation'));
  const [study, store, temporary] = ['study', 'store', 'tmp'].map((name) => join(path, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(temporary);
  const place = { url: server.url, store, times: usualTimes };
  const settings = {
    ...{ program, mark: String(process.pid) },
    env: { TMPDIR: temporary, PWP_HOME: join(path, 'home'), ...simulatedEnv({ ms, ...variety }) },
  };
  const order = { ...place, parallel, processes: false };
  const workers = Array.from({ length: count }, () => new BenchProcess('worker', order, settings));
  owned.defer(async () => void (await Promise.all(workers.map((one) => one[Symbol.asyncDispose]()))));
  await raceSignal(Promise.all(workers.map(({ ready }) => ready)), signal);
  const pids = workers.map(({ pid }) => pid);
  const restMb = await readMemory(pids);
  const producer = owned.use(new BenchProcess('producer', { ...place, folder: study, attempts }, settings));
  const watched = await watch(producer, { server: server.pid, workers: pids, signal });
  const code = await producer.exit();
  if (code !== 0) throw new Error(`the producer ended with ${code}`);
  const tries = workers.reduce((sum, worker) => sum + worker.ended.length, 0);
  return {
    'attempts a second': attempts / watched.seconds,
    ...watched,
    'tries made': tries,
    'a worker at rest, MiB': restMb / count,
    ...(await countResults(study, attempts)),
    'records left in the store': (await readdir(join(store, 'records'))).length,
  };
}

interface Watched {
  readonly server: number;
  readonly workers: readonly number[];
  readonly signal: AbortSignal;
}

/** Until the producer has ended. */
async function watch(producer: BenchProcess, { server, workers, signal }: Watched) {
  const cpuOf = async () => ({
    producer: await readTreeCpu([producer.pid]),
    server: await readTreeCpu([server]),
    workers: await readTreeCpu(workers),
  });
  const start = performance.now();
  const [before, most] = [await cpuOf(), { server: 0, producer: 0, workers: 0 }];
  let last = before;
  using gaps = new GapWatch();
  let isOver = false;
  const over = producer.exit().then(() => (isOver = true));
  while (!isOver) {
    await Promise.race([over, pause(sampleMs, signal)]);
    if (isOver) break;
    last = await cpuOf();
    most.server = Math.max(most.server, await readMemory([server, ...(await listChildren(server))]));
    most.producer = Math.max(most.producer, await readMemory([producer.pid]));
    most.workers = Math.max(most.workers, await readMemory(workers));
  }
  const seconds = (performance.now() - start) / 1000;
  return {
    seconds,
    'server, most MiB': most.server,
    'producer, most MiB': most.producer,
    'workers, most MiB together': most.workers,
    'server, s of CPU': (last.server - before.server) / 1000,
    'producer, s of CPU': last.producer / 1000,
    'workers, s of CPU together': (last.workers - before.workers) / 1000,
    'longest gap, s': gaps.take() / 1000,
  };
}

/** By what is in the study's folder. */
async function countResults(
  study: string,
  attempts: number,
): Promise<Counts & { readonly 'failed tries': number }> {
  const results: AttemptResult[] = [];
  const wrong: string[] = [];
  for await (const one of (await readStudy(study)).attempts()) {
    if (!('result' in one)) continue;
    results.push(one.result);
    const { tries, reward, end } = one.result;
    const scores = tries.filter((made) => made.end === 'scored').length;
    if (end !== 'scored' || scores !== 1 || reward !== rewardOf({ folder: relative(study, one.folder) }))
      wrong.push(one.folder);
  }
  const names = new Set(results.map(({ task, agent, number }) => `${task} ${agent} ${number}`));
  return {
    lost: attempts - names.size,
    doubled: results.length - names.size,
    'wrong results': wrong.length,
    'failed tries': results.flatMap(({ tries }) => tries.filter(({ end }) => end !== 'scored')).length,
  };
}
