import type { Node, Sandbox } from '../../host/node/index.ts';
import { Environment } from '../../host/run/index.ts';
import { loadTask } from '../../host/tasks/index.ts';

/** The initial state; any would do. */
const task = 'tasks/vscode/swap-text-test';

/** Times from the request for an initial state to a ready environment, in milliseconds. */
export interface Resets {
  readonly cold: number[];
  readonly golden: number[];
}

/** Resets one environment without and with its golden checkpoint, in turns. */
export async function resets(node: Node, rounds: number, signal: AbortSignal): Promise<Resets> {
  const times: Resets = { cold: [], golden: [] };
  const loaded = await loadTask(task);
  const before = new Set((await node.checkpoints()).map(({ id }) => id));
  await using cold = new Environment({ node, task: loaded, cold: true });
  await using golden = new Environment({ node, task: loaded });
  await golden.reset({ signal });
  for (let round = 0; round < rounds; round += 1) {
    for (const [env, into] of [
      [cold, times.cold],
      [golden, times.golden],
    ] as const) {
      const [, info] = await env.reset({ signal });
      into.push(info.startMs);
    }
  }
  const info = (await node.checkpoints()).filter(({ id, key }) => key !== null && !before.has(id));
  for (const { id } of info) await node.deleteCheckpoint(id);
  return times;
}

/** Times of taking and of restoring a checkpoint of the disk alone, in milliseconds. */
export interface DiskTimes {
  readonly checkpoint: number[];
  readonly restore: number[];
}

export async function diskCheckpoints(
  node: Node,
  sandbox: Sandbox,
  rounds: number,
  signal: AbortSignal,
): Promise<DiskTimes> {
  const times: DiskTimes = { checkpoint: [], restore: [] };
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now();
    const { id } = await sandbox.checkpoint({ kind: 'disk', signal });
    const taken = performance.now();
    await sandbox.restore(id, { signal });
    times.checkpoint.push(taken - begin);
    times.restore.push(performance.now() - taken);
    await node.deleteCheckpoint(id);
  }
  return times;
}
