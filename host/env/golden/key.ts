import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Node, SandboxSpec } from '../../node/index.ts';

/** Raised whenever what a golden checkpoint holds changes. */
const format = 'golden-1';

/**
 * One key over all that the initial state of a sandbox follows from: the image, what is seeded, the display, limits and
 * network, the kind of node, and the boot of the machine (a process can't go on under another kernel, nor with a clock
 * that began anew). The name of the sandbox doesn't count.
 */
export async function goldenKey(node: Node, spec: SandboxSpec, signal: AbortSignal): Promise<string> {
  return keyOf({ image: await node.image(signal), node: node.kind, boot: await bootId() }, spec);
}

export interface Surroundings {
  readonly image: string;
  readonly node: Node['kind'];
  readonly boot: string;
}

export function keyOf({ image, node, boot }: Surroundings, spec: SandboxSpec): string {
  const { role, display, limits, network = { mode: 'no-network' }, seeds } = spec;
  const hash = createHash('sha256');
  const { width, height } = display;
  const { cpus, memoryMb, pids, diskMb } = limits;
  const hosts = network.mode === 'allowlist' ? network.hosts : [];
  const words = [width, height, cpus, memoryMb, pids, diskMb, network.mode, ...hosts];
  hash.update(JSON.stringify([format, image, node, boot, role, words]));
  for (const { path, tar } of seeds) {
    hash.update(JSON.stringify([path, tar.byteLength]));
    hash.update(tar);
  }
  return hash.digest('hex');
}

/** Empty on a machine that is no Linux: there the node's kernel is a virtual machine's, which tells by failing. */
async function bootId(): Promise<string> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}
