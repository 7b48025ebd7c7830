import { execa } from 'execa';
import { pwpHome } from '../../../lib/index.ts';
import type { Layer } from './layer.ts';
import { readMounts } from './mounts.ts';
import { recipes } from './recipes.ts';
import { LayerStore } from './store.ts';

/** A layer in the cache, and what for. */
export interface LayerUse extends Layer {
  /** It is a layer of this very source tree. */
  readonly current: boolean;
  /** A sandbox or a node's container has it mounted. */
  readonly used: boolean;
}

/**
 * All layers in the cache, whatever source tree they were built from, and whether they are needed.
 * @param bound folders that containers have mounted: what happens in these can't be seen from here
 */
export function listImages(bound: readonly string[] = []): Promise<LayerUse[]> {
  return usesIn(new LayerStore(pwpHome()), bound);
}

export interface PruneOptions {
  readonly signal: AbortSignal;
  /** As for {@link listImages}. */
  readonly bound?: readonly string[];
  /** The cache folder. Default: as `PWP_HOME` says. */
  readonly home?: string;
}

export interface PrunedLayer extends LayerUse {
  /** That its folder took on the disk; null if it could not be measured. */
  readonly bytes: number | null;
}

/** Removes the layers that neither this source tree nor a sandbox uses, and what broken builds have left. */
export function pruneImages({ signal, bound = [], home = pwpHome() }: PruneOptions): Promise<PrunedLayer[]> {
  const store = new LayerStore(home);
  return store.exclusively({ signal }, async () => {
    const unused = (await usesIn(store, bound)).filter(({ current, used }) => !current && !used);
    const pruned: PrunedLayer[] = [];
    for (const layer of unused) {
      const bytes = await bytesOf(layer.rootfs, signal);
      await store.remove(layer);
      pruned.push({ ...layer, bytes });
    }
    return pruned;
  });
}

/** What a folder takes on the disk; null where that can't be said, e.g. because it is being removed. */
export async function bytesOf(folder: string, signal: AbortSignal): Promise<number | null> {
  const args = ['-s', '--block-size=1', '--one-file-system', folder];
  const { stdout, failed } = await execa('du', args, { reject: false, cancelSignal: signal });
  signal.throwIfAborted();
  return failed ? null : Number.parseInt(stdout, 10);
}

async function usesIn(store: LayerStore, bound: readonly string[]): Promise<LayerUse[]> {
  const layers = await store.list();
  if (layers.length === 0) return [];
  const { base, own } = await recipes();
  const mounted = (await readMounts()).map((mount) => mount.options);
  return layers.map((layer) => ({
    ...layer,
    current: layer.key === base.key || layer.key === own.key,
    used: mounted.some((text) => text.includes(layer.rootfs)) || bound.some((path) => holds(path, layer)),
  }));
}

/** Whether a mounted folder is the layer's, in it, or around it. */
function holds(path: string, { rootfs }: Layer): boolean {
  return `${rootfs}/`.startsWith(`${path}/`) || path.startsWith(`${rootfs}/`);
}
