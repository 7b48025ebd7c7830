import { execa } from 'execa';
import { languageNames } from '../../languages.ts';
import { pwpHome } from '../../../lib/index.ts';
import type { Layer } from './layer.ts';
import { keyPart } from './key.ts';
import { languagesIn } from './languages.ts';
import { readMounts } from './mounts.ts';
import { recipes } from './recipes.ts';
import { LayerStore } from './store.ts';

/** A layer in the cache, and its users. */
export interface LayerUse extends Layer {
  /** It is a layer of this very source tree. */
  readonly current: boolean;
  /** A sandbox or a node's container has it mounted, or a saved checkpoint needs it. */
  readonly used: boolean;
}

/** Uses that this process's own mounts do not show. */
export interface Uses {
  /** Folders that containers have mounted. */
  readonly bound?: readonly string[];
  /** Keys of images that saved checkpoints need. */
  readonly kept?: readonly string[];
}

/** All layers in the cache, regardless of the source tree they were built from, and whether they are needed. */
export function listImages(uses: Uses = {}): Promise<LayerUse[]> {
  return usesIn(new LayerStore(pwpHome()), uses);
}

export interface PruneOptions extends Uses {
  readonly signal: AbortSignal;
  /** The cache folder. Default: as `PWP_HOME` says. */
  readonly home?: string;
}

export interface PrunedLayer extends LayerUse {
  /** That its folder took on the disk; null if it could not be measured. */
  readonly bytes: number | null;
}

/**
 * Removes the layers that neither this source tree nor a sandbox uses, and what broken builds have left. Layers of
 * languages go where nothing uses them: there may be one for each set, and one is built in less than a minute.
 */
export function pruneImages({ signal, home = pwpHome(), ...uses }: PruneOptions): Promise<PrunedLayer[]> {
  const store = new LayerStore(home);
  return store.exclusively({ signal }, async () => {
    const unused = (await usesIn(store, uses)).filter(
      (layer) => !layer.used && (!layer.current || languagesIn(layer).length > 0),
    );
    const pruned: PrunedLayer[] = [];
    for (const layer of unused) {
      const bytes = await bytesOf(layer.rootfs, signal);
      await store.remove(layer);
      pruned.push({ ...layer, bytes });
    }
    return pruned;
  });
}

/** Disk space of a folder; null where it is unknown, e.g. because the folder is being removed. */
export async function bytesOf(folder: string, signal: AbortSignal): Promise<number | null> {
  const args = ['-s', '--block-size=1', '--one-file-system', folder];
  const { stdout, failed } = await execa('du', args, { reject: false, cancelSignal: signal });
  signal.throwIfAborted();
  return failed ? null : Number.parseInt(stdout, 10);
}

async function usesIn(store: LayerStore, { bound = [], kept = [] }: Uses): Promise<LayerUse[]> {
  const layers = await store.list();
  if (layers.length === 0) return [];
  const current = await currentKeys(layers);
  const mounted = (await readMounts()).map((mount) => mount.options);
  return layers.map((layer) => ({
    ...layer,
    current: current.has(layer.key),
    used:
      mounted.some((text) => text.includes(layer.rootfs)) ||
      bound.some((path) => holds(path, layer)) ||
      (languagesIn(layer).length > 0 && kept.some((image) => image.endsWith(`-${keyPart(layer)}`))),
  }));
}

/** Keys of the layers of this very source tree, with those of each set of languages that is there. */
async function currentKeys(layers: readonly Layer[]): Promise<ReadonlySet<string>> {
  const sets = layers.map((layer) => languageNames.filter((name) => languagesIn(layer).includes(name)));
  const all = await Promise.all(sets.map((languages) => recipes(languages)));
  return new Set(
    all.flatMap(({ base, own, between }) => [base.key, own.key, ...(between ? [between.key] : [])]),
  );
}

/** Whether a mounted folder is the layer's, in it, or around it. */
function holds(path: string, { rootfs }: Layer): boolean {
  return `${rootfs}/`.startsWith(`${path}/`) || path.startsWith(`${rootfs}/`);
}
