import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder, pwpHome, silentProgress } from '../../host/lib/index.ts';
import { createBaseRecipe } from '../../host/node/image/debian-layers.ts';
import { ensureLayer } from '../../host/node/image/layer-build.ts';
import { LayerStore } from '../../host/node/image/layer-store.ts';
import type { SandboxImage } from '../../host/node/image/sandbox-image.ts';
import {
  createLocalNode,
  defaultDisplay,
  defaultLimits,
  type ExecResult,
  type Sandbox,
  type SandboxSpec,
} from '../../host/node/index.ts';
import type { LocalNode } from '../../host/node/local/local-node.ts';

/** Signal for operations that a test does not cancel. */
export const never: AbortSignal = new AbortController().signal;

/** The image without the project's own layer: enough for sandboxes of role `bare`, and it exists before the bundles. */
export async function bareImage({ signal }: { readonly signal: AbortSignal }): Promise<SandboxImage> {
  const recipe = await createBaseRecipe(join(packageFolder(), 'images/sandbox'));
  const layer = await ensureLayer(new LayerStore(pwpHome()), recipe, { progress: silentProgress, signal });
  return { key: recipe.key, layers: [layer.rootfs] };
}

/** A node with its own cache folder; disposing it removes both. */
export interface TestNode extends AsyncDisposable {
  readonly node: LocalNode;
  readonly home: string;
}

export async function openTestNode(): Promise<TestNode> {
  const home = await mkdtemp(join(tmpdir(), 'pwp-node-'));
  const node = await createLocalNode({ home, image: bareImage });
  return {
    node,
    home,
    async [Symbol.asyncDispose]() {
      await node[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true });
    },
  };
}

export function bareSpec(changes: Partial<SandboxSpec> = {}): SandboxSpec {
  const base = { name: 'test', role: 'bare', seeds: [], keep: false } as const;
  return { ...base, display: defaultDisplay, limits: defaultLimits, ...changes };
}

/** A unique name on this machine, for sandboxes whose ids a test does not learn. */
export function ownName(word: string): string {
  return `${word}-${randomBytes(4).toString('hex')}`;
}

/** Runs one line of bash inside. */
export function bash(
  sandbox: Sandbox,
  line: string,
  changes: { timeoutMs?: number; maxOutputBytes?: number } = {},
) {
  const spec = { argv: ['bash', '-c', line], cwd: '/', env: {}, timeoutMs: 30_000, maxOutputBytes: 100_000 };
  return sandbox.exec({ ...spec, ...changes });
}

/** The same, for a line that must succeed: its standard output without the last newline. */
export async function says(sandbox: Sandbox, line: string): Promise<string> {
  const result: ExecResult = await bash(sandbox, line);
  if (result.exitCode !== 0) throw new Error(`${line}: ${JSON.stringify(result)}`);
  return result.stdout.trimEnd();
}
