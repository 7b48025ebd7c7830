import { raceSignal, messageOf } from '../bridge/lib/index.ts';
import {
  createDockerNode,
  createLocalNode,
  defaultDisplay,
  defaultLimits,
  type Node,
  type Sandbox,
} from '../host/node/index.ts';
import { Desk, deskSeeds } from './lib/desk.ts';
import { summarise } from './lib/stats.ts';
import { renderTable } from './lib/table.ts';

export interface CheckpointBench {
  readonly cycles: number;
  readonly node: 'local' | 'docker';
}

/** Forks at once, and how often that is measured. */
const together = 3;
const rounds = 5;

/** Times of one operation each, in milliseconds. */
interface Times {
  readonly cold: number[];
  readonly checkpoint: number[];
  readonly frozen: number[];
  readonly restore: number[];
  readonly fork: number[];
  readonly forks: number[];
}

/**
 * Checkpoints a desk in the middle of work and restores it, over and over, and asks every time whether all of it still
 * works; then forks it, one and three at a time. Rejects where anything did not work.
 */
export async function checkpoint(signal: AbortSignal, options: CheckpointBench): Promise<void> {
  await using node = options.node === 'docker' ? await createDockerNode() : await createLocalNode({}, signal);
  const { kind, criu, notes } = await node.checkpointSupport(signal);
  say(`${options.node} node, ${kind} checkpoints, CRIU ${criu?.version ?? 'none'}; ${notes.join('; ')}`);
  const times: Times = { cold: [], checkpoint: [], frozen: [], restore: [], fork: [], forks: [] };
  const sandbox = await boot(node, times, signal);
  const desk = new Desk(sandbox, signal);
  await desk.lay();
  let passed = 0;
  for (let round = 1; round <= options.cycles; round += 1)
    if (await cycle(node, sandbox, desk, round, times, signal)) passed += 1;
  await forks(node, sandbox, times, signal);
  say(
    renderTable(
      Object.entries(names).map(([key, what]) => ({ what, own: summarise(times[key as keyof Times]) })),
    ),
  );
  say(`${passed} of ${options.cycles} cycles passed`);
  if (passed < options.cycles) throw new Error(`${options.cycles - passed} cycles failed`);
}

const names: Readonly<Record<keyof Times, string>> = {
  cold: 'cold boot to ready',
  checkpoint: 'checkpoint',
  frozen: '  stands still',
  restore: 'restore in place',
  fork: 'fork to ready',
  forks: `${together} forks at once, all ready`,
};

async function boot(node: Node, { cold }: Times, signal: AbortSignal): Promise<Sandbox> {
  const begin = performance.now();
  const spec = { name: 'bench', role: 'ide', seeds: await deskSeeds(), keep: false } as const;
  const sandbox = await node.start({ ...spec, display: defaultDisplay, limits: defaultLimits }, signal);
  await raceSignal(sandbox.ready(signal), signal);
  cold.push(performance.now() - begin);
  return sandbox;
}

/** Answers whether all of the desk works after it. */
async function cycle(
  node: Node,
  sandbox: Sandbox,
  desk: Desk,
  round: number,
  times: Times,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const taken = await timed(times.checkpoint, () => sandbox.checkpoint({}, signal));
    times.frozen.push(taken.frozenMs);
    await timed(times.restore, () => sandbox.restore(taken.id, signal));
    const checked: number[] = [];
    await timed(checked, () => desk.check(round));
    await node.deleteCheckpoint(taken.id);
    const figures = [times.checkpoint, times.frozen, times.restore, checked].map((list) =>
      whole(list.at(-1)),
    );
    const [taking = '', still = '', back = '', check = ''] = figures;
    say(
      `cycle ${round}: checkpoint ${taking} ms (still ${still}), restore ${back} ms, checked in ${check} ms`,
    );
    return true;
  } catch (error) {
    signal.throwIfAborted();
    say(`cycle ${round}: FAILED: ${messageOf(error)}`);
    return false;
  }
}

async function forks(node: Node, sandbox: Sandbox, times: Times, signal: AbortSignal): Promise<void> {
  const { id } = await sandbox.checkpoint({}, signal);
  for (let round = 0; round < rounds; round += 1) {
    await (await timed(times.fork, () => readyFork(node, id, signal))).stop();
    const three = await timed(times.forks, () =>
      Promise.all(Array.from({ length: together }, () => readyFork(node, id, signal))),
    );
    await Promise.all(three.map((each) => each.stop()));
  }
  await node.deleteCheckpoint(id);
}

/** Ready is when it answers: the bridge, the page by it, and the screen. */
async function readyFork(node: Node, id: string, signal: AbortSignal): Promise<Sandbox> {
  const fork = await node.fork(id, { name: 'bench-fork', keep: false }, signal);
  await fork.ready(signal);
  return fork;
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  times.push(performance.now() - begin);
  return result;
}

function whole(value: number | undefined): string {
  return (value ?? Number.NaN).toFixed(0);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
