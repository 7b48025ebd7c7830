import { createHash, type Hash } from 'node:crypto';
import { PwpError } from '../../../bridge/lib/index.ts';
import type { Node, SandboxSpec, Seed, StreamedSeed } from '../../node/index.ts';

/** Raised whenever what a golden checkpoint holds changes. */
const format = 'golden-2';

/**
 * One key over everything that determines the initial state of a sandbox: the image, the seeds, the display, limits and
 * network, the kind of node, and the lifetime of its checkpoints. The name of the sandbox doesn't count.
 */
export async function goldenKey(
  node: Node,
  spec: SandboxSpec,
  signal: AbortSignal,
  setup?: string,
): Promise<string> {
  const image = await node.image({ signal });
  return keyOf({ image, node: node.kind, life: await node.lifetime(), setup }, spec);
}

export interface Surroundings {
  readonly image: string;
  readonly node: Node['kind'];
  /** A golden checkpoint is valid as long as this stays the same. */
  readonly life: string;
  /** The script that was run after the boot, if any. */
  readonly setup?: string | undefined;
}

export function keyOf({ image, node, life, setup }: Surroundings, spec: SandboxSpec): string {
  const { role, display, limits, network = { mode: 'no-network' }, seeds } = spec;
  const hash = createHash('sha256');
  const { width, height } = display;
  const sound = display.audio ? ['audio'] : [];
  const { cpus, memoryMb, pids, diskMb } = limits;
  const hosts = network.mode === 'allowlist' ? network.hosts : [];
  // The packages don't count: they are not in the sandbox before the agent asks for them.
  const gallery = network.gallery ? ['gallery'] : [];
  const words = [width, height, cpus, memoryMb, pids, diskMb, network.mode, ...hosts, ...gallery, ...sound];
  hash.update(JSON.stringify([format, image, node, life, role, words]));
  if (setup !== undefined) hash.update(JSON.stringify(['setup', setup]));
  for (const seed of seeds) addSeed(hash, seed);
  return hash.digest('hex');
}

function addSeed(hash: Hash, seed: Seed | StreamedSeed): void {
  const { path, tar } = seed;
  if (tar instanceof Uint8Array) {
    hash.update(JSON.stringify([path, tar.byteLength]));
    hash.update(tar);
    return;
  }
  const digest = 'digest' in seed ? seed.digest : undefined;
  if (digest === undefined) throw new PwpError('bad-seed', `the archive for ${path} is read only once`);
  hash.update(JSON.stringify([path, 'digest', digest]));
}
