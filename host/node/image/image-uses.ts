import { execa } from 'execa';
import { pwpHome, readMountTable } from '../../lib/index.ts';
import { dropRootFromKey } from '../agent-root.ts';
import { languageNames } from '../sandbox-spec.ts';
import { parseLayerLanguages } from './debian-layers.ts';
import { type ImageLayer, LayerStore } from './layer-store.ts';
import { createImageRecipes, makeLanguagesKeyPart } from './sandbox-image.ts';

/** A layer in the cache, and its users. */
export interface LayerUse extends ImageLayer {
  /** It is a layer of this very source tree. */
  readonly current: boolean;
  /** A sandbox or a node's container has it mounted, or a saved checkpoint needs it. */
  readonly used: boolean;
}

/** Uses that this process's own mounts do not show. */
export interface ImageUses {
  /** Folders that containers have mounted. */
  readonly bound?: readonly string[];
  /** Keys of images that saved checkpoints need. */
  readonly kept?: readonly string[];
}

/** All layers in the cache, regardless of the source tree they were built from, and whether they are needed. */
export function listImageLayers(uses: ImageUses = {}): Promise<LayerUse[]> {
  return findLayerUses(new LayerStore(pwpHome()), uses);
}

interface PruneLayersOptions extends ImageUses {
  readonly signal: AbortSignal;
  /** The cache folder. Default: as `PWP_HOME` says. */
  readonly home?: string;
}

interface PrunedLayer extends LayerUse {
  /** That its folder took on the disk; null if it could not be measured. */
  readonly bytes: number | null;
}

/**
 * Removes the layers that neither this source tree nor a sandbox uses, and what broken builds have left. Layers of
 * languages go where nothing uses them: there may be one for each set, and one is built in less than a minute.
 */
export function pruneImageLayers({
  signal,
  home = pwpHome(),
  ...uses
}: PruneLayersOptions): Promise<PrunedLayer[]> {
  const store = new LayerStore(home);
  return store.exclusively({ signal }, async () => {
    const unused = (await findLayerUses(store, uses)).filter(
      (layer) => !layer.used && (!layer.current || parseLayerLanguages(layer).length > 0),
    );
    const pruned: PrunedLayer[] = [];
    for (const layer of unused) {
      const bytes = await measureFolder(layer.rootfs, signal);
      await store.remove(layer);
      pruned.push({ ...layer, bytes });
    }
    return pruned;
  });
}

/** Disk space of a folder; null where it is unknown, e.g. because the folder is being removed. */
export async function measureFolder(folder: string, signal: AbortSignal): Promise<number | null> {
  const args = ['-s', '--block-size=1', '--one-file-system', folder];
  const { stdout, failed } = await execa('du', args, { reject: false, cancelSignal: signal });
  signal.throwIfAborted();
  return failed ? null : Number.parseInt(stdout, 10);
}

async function findLayerUses(store: LayerStore, { bound = [], kept = [] }: ImageUses): Promise<LayerUse[]> {
  const layers = await store.list();
  if (layers.length === 0) return [];
  const current = await listCurrentKeys(layers);
  const mounted = (await readMountTable()).map((mount) => mount.options);
  return layers.map((layer) => ({
    ...layer,
    current: current.has(layer.key),
    used:
      // By its name: the folder of images may have several paths.
      mounted.some((text) => text.includes(`/${layer.key}/`)) ||
      bound.some((path) => overlapsLayer(path, layer)) ||
      (parseLayerLanguages(layer).length > 0 &&
        kept.some((image) => dropRootFromKey(image).endsWith(`-${makeLanguagesKeyPart(layer)}`))),
  }));
}

/** Keys of the layers of this very source tree, with those of each set of languages that is there. */
async function listCurrentKeys(layers: readonly ImageLayer[]): Promise<ReadonlySet<string>> {
  const sets = layers.map((layer) =>
    languageNames.filter((name) => parseLayerLanguages(layer).includes(name)),
  );
  const all = await Promise.all(sets.map((languages) => createImageRecipes(languages)));
  return new Set(
    all.flatMap(({ base, own, between }) => [base.key, own.key, ...(between ? [between.key] : [])]),
  );
}

/** Whether a mounted folder is the layer's, in it, or around it. */
function overlapsLayer(path: string, { rootfs }: ImageLayer): boolean {
  return `${rootfs}/`.startsWith(`${path}/`) || path.startsWith(`${rootfs}/`);
}
