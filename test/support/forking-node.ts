import { join } from 'node:path';
import { list, type ReadEntry } from 'tar';
import { deadline, poll } from '../../bridge/lib/index.ts';
import { defaultWorkspace, dom } from '../../bridge/protocol/index.ts';
import { rootUser } from '../../host/node/agent-root.ts';
import { unpackSeed } from '../../host/node/container/root-contents.ts';
import { findSandboxRecord, resolveSandboxPaths } from '../../host/node/container/sandbox-record.ts';
import {
  defaultDisplay,
  defaultLimits,
  type Node,
  type Sandbox,
  type SandboxSpec,
  type Seed,
} from '../../host/node/index.ts';
import type { LocalNode } from '../../host/node/local/local-node.ts';
import { firstBoot } from './first-boot.ts';
import { isSettingsPath, waitForSettings } from './workspace-settings.ts';

/** Longest time, in milliseconds, for a fork to answer and VS Code to notice new files on a busy machine. */
const readyMs = 90_000;
const settleCapMs = 10_000;
/** The explorer has at most this many rows on the default display. */
const mostRows = 25;

/**
 * The same node, except that an IDE that differs from others only by its workspace's files is started as a fork of an
 * IDE that was booted once in this run, with its files written afterwards. All others are booted, and so is an IDE with a
 * file in `.vscode` that VS Code only reads when it opens a folder.
 * @param home the cache folder of the node, which the test processes of this run share
 */
export function forkingNode(node: LocalNode, home: string): LocalNode {
  const start = async (...[spec, options]: Parameters<Node['start']>): Promise<Sandbox> => {
    const checkpoint = isForkable(spec) ? await firstBoot(node, home) : null;
    if (checkpoint === null) return node.start(spec, options);
    const sandbox = await node.fork(checkpoint, { name: spec.name, keep: false, ...options });
    try {
      await bringIn(sandbox, spec.seeds, options?.signal);
      return sandbox;
    } catch (error) {
      await sandbox[Symbol.asyncDispose]();
      throw error;
    }
  };
  return new Proxy(node, {
    get(target, name) {
      if (name === 'start') return start;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

function isForkable(spec: SandboxSpec): boolean {
  const { role, keep, copy, network, display, limits, seeds, workspace = defaultWorkspace } = spec;
  const noNetwork = network === undefined || (network.mode === 'no-network' && !network.gallery);
  const plain = role === 'ide' && !keep && copy === undefined && noNetwork;
  const { audio = false, ...size } = display;
  const { width, height } = defaultDisplay;
  const usual = !audio && isSame({ ...size, ...limits }, { width, height, ...defaultLimits });
  const files = seeds.every(
    (seed) => isWhole(seed) && seed.path === defaultWorkspace && namesIn(seed).every(isReadLater),
  );
  return plain && usual && files && workspace === defaultWorkspace;
}

/** An archive that is read while it is unpacked can't be inspected before. */
function isWhole(seed: SandboxSpec['seeds'][number]): seed is Seed {
  return seed.tar instanceof Uint8Array;
}

function isSame(one: Readonly<Record<string, number>>, other: Readonly<Record<string, number>>): boolean {
  return Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);
}

/** Writes the files and waits until the explorer shows them and VS Code is at rest: its watchers have seen them. */
async function bringIn(sandbox: Sandbox, given: SandboxSpec['seeds'], parent?: AbortSignal): Promise<void> {
  using limit = deadline('new files in a forked IDE', readyMs, parent);
  const { signal } = limit;
  const seeds = given.filter(isWhole);
  await sandbox.ready({ signal });
  const { merged } = resolveSandboxPaths(await findSandboxRecord(sandbox.id));
  for (const seed of seeds) await unpackSeed(merged, seed, rootUser, signal);
  const names = [...new Set(seeds.flatMap(namesIn).map(rootOf))].filter((name) => name !== '.git');
  if (names.length === 0) return;
  await waitForSettings(sandbox, join(merged, defaultWorkspace), signal);
  const probe = async () => {
    const { marks } = await sandbox.call(dom.observe, {}, { signal });
    const rows = marks.flatMap(({ role, name }) => (role === 'treeitem' ? [name] : []));
    const missing = names.filter((name) => !rows.some((row) => row.startsWith(name)));
    return missing.length === 0 || rows.length >= mostRows
      ? ({ done: true, value: undefined } as const)
      : ({ done: false, saw: `no ${missing.join(', ')} among ${rows.join(', ')}` } as const);
  };
  await poll('the new files in the explorer', probe, { intervalMs: 50, signal });
  await sandbox.settle({ capMs: settleCapMs, pointerOnly: false, signal });
}

function isReadLater(path: string): boolean {
  return rootOf(path) !== '.vscode' || isSettingsPath(path);
}

function rootOf(path: string): string {
  return path.split('/', 1)[0] ?? '';
}

/** Paths that an archive puts into its folder, without a trailing slash for folders. */
function namesIn({ tar }: Seed): string[] {
  const names: string[] = [];
  const onReadEntry = ({ path }: ReadEntry) => {
    const name = path.replace(/^(\.\/)+|^\.$/, '').replace(/\/$/, '');
    if (name !== '') names.push(name);
  };
  const reader = list({ sync: true, onReadEntry });
  reader.end(Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength));
  return names;
}
