import { join } from 'node:path';
import { deadline } from '../../bridge/lib/index.ts';
import { acquireLock } from '../../host/lib/index.ts';
import { defaultDisplay, defaultLimits, type SandboxSpec } from '../../host/node/index.ts';
import type { LocalNode } from '../../host/node/local/local-node.ts';
import { never } from './node-sandbox.ts';

/** Longest time for an IDE to start on a busy machine, in milliseconds. */
const bootMs = 180_000;
/** An IDE that is forked a hundred times should be at rest. In milliseconds. */
const settleCapMs = 10_000;
const key = 'an IDE with an empty workspace';
const spec: SandboxSpec = {
  name: 'first-boot',
  role: 'ide',
  seeds: [],
  keep: false,
  display: defaultDisplay,
  limits: defaultLimits,
};

/**
 * The checkpoint of an IDE with an empty workspace. The first test process that asks boots that IDE, the others wait
 * for it. Null if this machine can't take live checkpoints.
 * @param home the cache folder of the node, which the test processes of this run share
 */
export async function firstBoot(node: LocalNode, home: string): Promise<string | null> {
  const there = await find(node);
  if (there !== null) return there;
  await using lock = await acquireLock(join(home, 'first-boot.lock'), { signal: never });
  void lock;
  return (await find(node)) ?? (await boot(node));
}

async function find(node: LocalNode): Promise<string | null> {
  const [all, image] = [await node.checkpoints(), await node.image()];
  return all.findLast((one) => one.key === key && one.image === image)?.id ?? null;
}

async function boot(node: LocalNode): Promise<string | null> {
  using limit = deadline('the first boot of an IDE', bootMs);
  const { signal } = limit;
  const { kind, notes } = await node.checkpointSupport({ signal });
  if (kind !== 'live') {
    console.warn(`Each test boots its own IDE, which takes longer: no live checkpoints. ${notes.join(' ')}`);
    return null;
  }
  await using sandbox = await node.start(spec, { signal });
  await sandbox.ready({ signal });
  await sandbox.settle({ capMs: settleCapMs, pointerOnly: false, signal });
  return (await sandbox.checkpoint({ key, name: key, kind: 'live', signal })).id;
}
