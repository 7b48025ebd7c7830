import { PwpError } from '../../../../bridge/lib/index.ts';
import { partOf, pwpHome, type Progress } from '../../../lib/index.ts';
import { ensureLayer } from './build.ts';
import { recipes } from './recipes.ts';
import { LayerStore, layerFolder } from './store.ts';
import type { Layer, LayerRecipe } from './layer.ts';

/** The file system that sandboxes start from. */
export interface Image {
  /** Changes when anything in the image changes. */
  readonly key: string;
  /** Folders for the `lowerdir` of an overlay, topmost first. Never to be written to. */
  readonly layers: readonly string[];
}

export interface ImageOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** The cache folder. Default: as `PWP_HOME` says. */
  readonly home?: string;
}

/** The image of this very source tree, built where it is not there yet. Errors: `needs-root`, `image-build-failed`. */
export async function ensureImage(options: ImageOptions): Promise<Image> {
  const { base, own } = await recipes();
  const store = new LayerStore(options.home ?? pwpHome());
  const below = await ensureLayer(store, base, { ...options, progress: partOf(options.progress, 0, 0.98) });
  const top = await ensureLayer(store, own, { ...options, progress: partOf(options.progress, 0.98, 1) });
  return imageOf(below, top);
}

/**
 * The image of this very source tree where its layers are there already, else null. A layer is one only when it was
 * finished and its whole key is that of the sources.
 * @param homes cache folders, looked through in this order
 */
export async function findImage(homes: readonly string[] = [pwpHome()]): Promise<Image | null> {
  const { base, own } = await recipes();
  const stores = homes.map((home) => new LayerStore(home));
  const [below, top] = await Promise.all([base, own].map((recipe) => findIn(stores, recipe)));
  return below && top ? imageOf(below, top) : null;
}

/** As {@link findImage}. Errors: `image-missing`. */
export async function requireImage(homes: readonly string[]): Promise<Image> {
  const image = await findImage(homes);
  if (image) return image;
  const { base, own } = await recipes();
  const text = `${layerFolder(base)} and ${layerFolder(own)} are not both in ${homes.join(' or ')}`;
  throw new PwpError('image-missing', `the layers of the sandbox image are not there: ${text}`, {
    help: 'A node that brings its own layers needs none of this machine: PWP_NODE_IMAGE=complete',
  });
}

/** Finishes the layers of an image that is built by Docker: takes the lower one, which is there, and adds ours. */
export async function sealImage(home: string, options: Omit<ImageOptions, 'home'>): Promise<Image> {
  const { base, own } = await recipes();
  const store = new LayerStore(home);
  return imageOf(await store.adopt(base), await ensureLayer(store, own, options));
}

function imageOf(base: Layer, own: Layer): Image {
  return { key: `${base.key.slice(0, 16)}-${own.key.slice(0, 16)}`, layers: [own.rootfs, base.rootfs] };
}

async function findIn(stores: readonly LayerStore[], recipe: LayerRecipe): Promise<Layer | null> {
  for (const store of stores) {
    const layer = await store.find(recipe);
    if (layer) return layer;
  }
  return null;
}
