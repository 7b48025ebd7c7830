import { describeError, raceSignal } from '../bridge/lib/index.ts';
import {
  createDockerNode,
  createLocalNode,
  defaultDisplay,
  defaultLimits,
  type Node,
  type Sandbox,
} from '../host/node/index.ts';
import { BusyIde, deskSeeds } from './lib/busy-ide.ts';
import { diskCheckpoints, resets } from './lib/resets.ts';
import { summarise } from './lib/stats.ts';
import { renderComparison, renderTable, type Row } from './lib/table.ts';

export interface CheckpointBench {
  readonly cycles: number;
  readonly node: 'local' | 'docker';
}

/** Number of simultaneous forks, and of rounds for everything except cycles. */
const together = 3;
const rounds = 5;
/** Number of rounds for operations that take ten times as long. */
const few = 3;

/** Times of one operation each, in milliseconds. */
interface Times {
  readonly checkpoint: number[];
  readonly frozen: number[];
  readonly restore: number[];
  readonly fork: number[];
  readonly forks: number[];
}

/**
 * Checkpoints, restores and forks a fresh IDE, as a reset does. Then does the same with an IDE in the middle of work,
 * repeatedly, and checks every time that all of it still works. Rejects if anything did not.
 */
export async function checkpoint(signal: AbortSignal, options: CheckpointBench): Promise<void> {
  await using node = options.node === 'docker' ? await createDockerNode() : await createLocalNode({ signal });
  const { kind, criu, notes } = await node.checkpointSupport({ signal });
  say(`${options.node} node, ${kind} checkpoints, CRIU ${criu?.version ?? 'none'}; ${notes.join('; ')}`);
  const sandbox = await boot(node, signal);
  const plain = noTimes();
  for (let round = 0; round < rounds; round += 1) await backAndForth(node, sandbox, plain, signal);
  await forks(node, sandbox, plain, signal);
  const ide = new BusyIde(sandbox, signal);
  await ide.lay();
  const worked = noTimes();
  let passed = 0;
  for (let round = 1; round <= options.cycles; round += 1)
    if (await cycle(node, sandbox, ide, round, worked, signal)) passed += 1;
  await forks(node, sandbox, worked, signal);
  const disk = await diskCheckpoints(node, sandbox, few, signal);
  await sandbox.stop();
  const { cold: booted, golden } = await resets(node, few, signal);
  say(
    renderComparison(
      ['golden', 'cold', 'faster'],
      [{ what: 'reset of a task', first: summarise(golden), second: summarise(booted) }],
      (own, boot) => boot / own,
    ),
  );
  say('The disk alone, of the busy IDE:');
  say(
    renderTable([
      { what: 'checkpoint', own: summarise(disk.checkpoint) },
      { what: 'restore to ready', own: summarise(disk.restore) },
    ]),
  );
  say('An IDE as it starts:');
  say(renderTable(rowsOf(plain)));
  say('The IDE in the middle of work, with TypeScript and a debugger:');
  say(renderTable(rowsOf(worked)));
  say(`${passed} of ${options.cycles} cycles passed`);
  if (passed < options.cycles) throw new Error(`${options.cycles - passed} cycles failed`);
}

const names: Readonly<Record<keyof Times, string>> = {
  checkpoint: 'checkpoint',
  frozen: '  frozen',
  restore: 'restore in place',
  fork: 'fork to ready',
  forks: `${together} forks at once, all ready`,
};

function noTimes(): Times {
  return { checkpoint: [], frozen: [], restore: [], fork: [], forks: [] };
}

function rowsOf(times: Times): Row[] {
  return Object.entries(names).map(([key, what]) => ({ what, own: summarise(times[key as keyof Times]) }));
}

async function boot(node: Node, signal: AbortSignal): Promise<Sandbox> {
  const spec = { name: 'bench', role: 'ide', seeds: await deskSeeds(), keep: false } as const;
  const sandbox = await node.start({ ...spec, display: defaultDisplay, limits: defaultLimits }, { signal });
  await raceSignal(sandbox.ready({ signal }), signal);
  return sandbox;
}

/** Returns whether everything in the IDE works afterwards. */
async function cycle(
  node: Node,
  sandbox: Sandbox,
  ide: BusyIde,
  round: number,
  times: Times,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await backAndForth(node, sandbox, times, signal);
    const checked: number[] = [];
    await timed(checked, () => ide.check(round));
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
    say(`cycle ${round}: FAILED: ${describeError(error)}`);
    return false;
  }
}

/** Takes a checkpoint and restores it. */
async function backAndForth(node: Node, sandbox: Sandbox, times: Times, signal: AbortSignal): Promise<void> {
  const taken = await timed(times.checkpoint, () => sandbox.checkpoint({ signal }));
  times.frozen.push(taken.frozenMs);
  await timed(times.restore, () => sandbox.restore(taken.id, { signal }));
  await node.deleteCheckpoint(taken.id);
}

async function forks(node: Node, sandbox: Sandbox, times: Times, signal: AbortSignal): Promise<void> {
  const { id } = await sandbox.checkpoint({ signal });
  for (let round = 0; round < rounds; round += 1) {
    await (await timed(times.fork, () => readyFork(node, id, signal))).stop();
    const three = await timed(times.forks, () =>
      Promise.all(Array.from({ length: together }, () => readyFork(node, id, signal))),
    );
    await Promise.all(three.map((each) => each.stop()));
  }
  await node.deleteCheckpoint(id);
}

/** Ready means that the bridge, the page through it, and the screen answer. */
async function readyFork(node: Node, id: string, signal: AbortSignal): Promise<Sandbox> {
  const fork = await node.fork(id, { name: 'bench-fork', keep: false, signal });
  await fork.ready({ signal });
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
