import { freemem } from 'node:os';
import { deadline, describeError, raceSignal } from '../bridge/lib/index.ts';
import { parseAction, Session } from '../host/ide/index.ts';
import { createLocalNode, defaultDisplay, defaultLimits, type Node } from '../host/node/index.ts';
import { summarise } from './lib/stats.ts';

/** Default number of simultaneous sandboxes. */
const usualCount = 12;
/** Maximum time from the call to the last answer of one sandbox: all share the machine's few cores. Milliseconds. */
const patienceMs = 900_000;
const MiB = 1024 * 1024;

/** Measurements of one sandbox; times in milliseconds, memory in MiB. */
interface Measured {
  /** From the call until its first process ran, including the wait in the admission queue. */
  readonly startMs: number;
  /** From the call until its IDE was ready. */
  readonly readyMs: number;
  /** One step, taken when all of them were ready. */
  readonly stepMs: number;
  readonly effect: string;
  readonly readyMb: number;
  readonly stepMb: number;
  readonly cpuMs: number;
}

/** Starts several IDEs at once, each of which makes a step: how long each takes and how much memory it uses. */
export async function parallel(signal: AbortSignal, count: number = usualCount): Promise<void> {
  const onWait = (waiting: number) => console.log(`${waiting} wait in line for memory`);
  await using node = await createLocalNode({ onWait, signal });
  const { room } = await node.load();
  console.log(`${count} sandboxes on a machine with room for ${room}`);
  const freeBefore = freemem();
  const semaphore = new Semaphore(Math.min(count, Math.max(1, room)));
  const runs = Array.from({ length: count }, () => measureOne(node, semaphore, signal));
  const settled = await Promise.allSettled(runs);
  const measured = settled.filter((run) => run.status === 'fulfilled').map(({ value }) => value);
  for (const run of settled) if (run.status === 'rejected') console.error(describeError(run.reason));
  console.log(tableOf(measured));
  console.log(
    `the machine had ${mib(freeBefore)} MiB free before, ${semaphore.leastFreeMb} MiB with all of them up`,
  );
  if (measured.length < count) throw new Error(`${count - measured.length} of ${count} failed`);
}

async function measureOne(node: Node, semaphore: Semaphore, signal: AbortSignal): Promise<Measured> {
  using limit = deadline('one of the sandboxes', patienceMs, signal);
  const begin = performance.now();
  const spec = { name: 'bench', role: 'ide', seeds: [], keep: false } as const;
  try {
    const display = { display: defaultDisplay, limits: defaultLimits };
    await using sandbox = await node.start({ ...spec, ...display }, { signal: limit.signal });
    const startMs = performance.now() - begin;
    await sandbox.ready({ signal: limit.signal });
    const readyMs = performance.now() - begin;
    const ready = await sandbox.usage({ signal: limit.signal });
    await semaphore.pass(limit.signal);
    using session = new Session(sandbox);
    const { info } = await session.step([parseAction('xdotool key F1')], { signal: limit.signal });
    const after = await sandbox.usage({ signal: limit.signal });
    const [outcome] = info.outcomes;
    return {
      ...{ startMs, readyMs, stepMs: info.timing.totalMs, effect: outcome?.effect ?? 'none' },
      ...{ readyMb: mib(ready.memoryBytes), stepMb: mib(after.memoryBytes), cpuMs: after.cpuMs },
    };
  } catch (error) {
    semaphore.count();
    throw error;
  }
}

/** A barrier: holds all sandboxes until the given number has arrived, so that they take their steps while all are up. */
class Semaphore {
  leastFreeMb = Number.POSITIVE_INFINITY;
  readonly #open = Promise.withResolvers<undefined>();
  #missing: number;

  constructor(count: number) {
    this.#missing = count;
  }

  async pass(signal: AbortSignal): Promise<void> {
    this.count();
    await raceSignal(this.#open.promise, signal);
  }

  /** One more has arrived, or never will. */
  count(): void {
    this.leastFreeMb = Math.min(this.leastFreeMb, mib(freemem()));
    this.#missing -= 1;
    if (this.#missing <= 0) this.#open.resolve(undefined);
  }
}

const head = ['', 'start ms', 'ready ms', 'step ms', 'effect', 'MiB ready', 'MiB after step', 'CPU ms'];

function tableOf(runs: readonly Measured[]): string {
  const rows = runs.map((run, index) => [
    String(index + 1),
    ...[run.startMs, run.readyMs, run.stepMs].map(whole),
    run.effect,
    ...[run.readyMb, run.stepMb, run.cpuMs].map(whole),
  ]);
  const median = (pick: (run: Measured) => number) => whole(summarise(runs.map(pick)).median);
  const medians = [
    ...['median', median((run) => run.startMs), median((run) => run.readyMs), median((run) => run.stepMs)],
    ...['', median((run) => run.readyMb), median((run) => run.stepMb), median((run) => run.cpuMs)],
  ];
  const cells = [head, ...rows, medians];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells.map((row) => row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('  ')).join('\n');
}

function whole(value: number): string {
  return value.toFixed(0);
}

function mib(bytes: number): number {
  return Math.round(bytes / MiB);
}
