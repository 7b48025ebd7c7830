import { join } from 'node:path';
import type Docker from 'dockerode';
import { acquireLock, partOf, pwpHome, type Progress, type ProcessIdentity } from '../../lib/index.ts';
import { ensureBase, isThere } from './base.ts';
import { buildImage } from './build.ts';
import { imageKey, stageContext } from './context.ts';
import { ensureLayers, layersTag } from './layers.ts';
import type { LayerSource, Machine } from './machine.ts';

export interface NodeImageOptions {
  readonly machine: Machine;
  readonly layers: LayerSource;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * The node's image of this very source tree, built where it isn't there yet; two callers at once build it once.
 * Errors: `image-build-failed`, `disk-full`.
 */
export async function ensureNodeImage(engine: Docker, options: NodeImageOptions): Promise<string> {
  const tag = await nodeTag(options.machine, options.layers);
  if (await isThere(engine, tag)) return tag;
  const { progress, signal } = options;
  const onWait = (holder: ProcessIdentity | null) =>
    progress.stage(`Waiting for another build${holder ? ` (process ${holder.pid})` : ''}`);
  const lock = await acquireLock(join(pwpHome(), 'images/node.lock'), { signal, onWait });
  try {
    if (!(await isThere(engine, tag))) await build(engine, tag, options);
    return tag;
  } finally {
    await lock[Symbol.asyncDispose]();
    progress.done();
  }
}

/** The name of the image: of all that goes into it, the layers included where they do. */
export async function nodeTag(machine: Machine, layers: LayerSource): Promise<string> {
  const below = layers === 'complete' ? await layersTag(machine.arch) : 'bound';
  return `pwp-node:${(await imageKey(machine.arch, below)).slice(0, 16)}`;
}

async function build(engine: Docker, tag: string, options: NodeImageOptions): Promise<void> {
  const { machine, layers, progress, signal } = options;
  const [first, last] = layers === 'complete' ? [0.9, 0.1] : [0.5, 0.5];
  const below = { machine, progress: partOf(progress, 0, first), signal };
  const base = await (layers === 'complete'
    ? ensureLayers(engine, below)
    : ensureBase(engine, 'node', below));
  progress.stage('Building the node', first);
  await using context = await stageContext(machine.arch, signal);
  await buildImage(engine, {
    tag,
    name: "the node's image",
    context: context.folder,
    arguments: { BASE: base },
    progress: partOf(progress, 1 - last, 1),
    signal,
  });
}
