import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from '../host/lib/index.ts';
import { createLocalNode, fetchRootImage } from '../host/node/index.ts';
import { fetchAgentRoot } from '../host/node/root-images.ts';
import { Environment } from '../host/run/index.ts';
import { loadTask } from '../host/tasks/index.ts';
import { summarise } from './lib/stats.ts';
import { renderComparison } from './lib/table.ts';

/** Any would do: it has files of its own and no set-up. */
const task = 'tasks/vscode/swap-text-test';
const defaultRounds = 5;

/** Milliseconds of one operation each. */
type Times = Record<(typeof operations)[number], number[]>;
const operations = [
  'start, booted',
  'start, golden',
  'step',
  'checkpoint',
  '  frozen',
  'restore',
  'fork',
] as const;

/**
 * Does the same in an image of many layers, like those of repository tasks, and in our own, in turns.
 * @param image Default: one that `test/images/make.sh` makes.
 */
export async function images(signal: AbortSignal, rounds = defaultRounds, image?: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const root = image ?? (await makeImage(stack, signal));
  await fetchRootImage(root, { signal });
  const node = stack.use(await createLocalNode({ signal, root: fetchAgentRoot }));
  const loaded = await loadTask(join(packageFolder(), task));
  const sides = [{ image: root }, {}].map((options) => {
    const times = Object.fromEntries(operations.map((name) => [name, []])) as unknown as Times;
    const [cold, env] = [true, false].map((isCold) =>
      stack.use(new Environment({ node, task: loaded, cold: isCold, ...options })),
    );
    if (!cold || !env) throw new Error('no environments');
    return { times, cold, env };
  });
  for (const { env } of sides) await env.reset({ signal });
  for (let round = 0; round < rounds; round += 1)
    // Who is first has the warmer machine in the next round.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) await measureOnce(side, signal);
  const [first, second] = sides.map(({ times }) => times);
  const rows = operations.map((what) => ({
    what,
    first: summarise(first?.[what] ?? []),
    second: summarise(second?.[what] ?? []),
  }));
  process.stdout.write(`${renderComparison(['image', 'our own', 'takes'], rows, (one, own) => one / own)}\n`);
}

async function makeImage(stack: AsyncDisposableStack, signal: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-images-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const script = join(packageFolder(), 'test/images/make.sh');
  await promisify(execFile)(script, ['swe', join(folder, 'image'), 'bullseye'], { signal });
  return join(folder, 'image');
}

interface Side {
  readonly times: Times;
  readonly cold: Environment;
  readonly env: Environment;
}

async function measureOnce({ times, cold, env }: Side, signal: AbortSignal): Promise<void> {
  const booted = await cold.reset({ signal });
  times['start, booted'].push(booted[1].startMs);
  await cold.close();
  times['start, golden'].push((await env.reset({ signal }))[1].startMs);
  await timed(times.step, () => env.step('xdotool key ctrl+shift+e', { signal }));
  const taken = await timed(times.checkpoint, () => env.checkpoint({ signal }));
  times['  frozen'].push(taken.frozenMs);
  await timed(times.restore, () => env.restore(taken.id, { signal }));
  const [fork] = await timed(times.fork, () => env.fork({ from: taken.id, signal }));
  await fork?.close();
  await env.checkpoints.delete(taken.id);
}

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const result = await work();
  times.push(performance.now() - begin);
  return result;
}
