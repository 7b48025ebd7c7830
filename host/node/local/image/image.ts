import { PwpError } from '../../../../bridge/lib/index.ts';
import { partOf, pwpHome, type Progress } from '../../../lib/index.ts';
import type { Language } from '../../languages.ts';
import { ensureLayer } from './build.ts';
import { recipes } from './recipes.ts';
import { LayerStore, layerFolder } from './store.ts';
import { imageKey } from './key.ts';
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
  /** Its extra languages, as `languagesOf` orders them. Default: none. */
  readonly languages?: readonly Language[];
}

/** The image of this very source tree, built where it is not there yet. Errors: `needs-root`, `image-build-failed`. */
export async function ensureImage(options: ImageOptions): Promise<Image> {
  const { base, own, between } = await recipes(options.languages);
  const store = new LayerStore(options.home ?? pwpHome());
  const part = (from: number, to: number) => ({ ...options, progress: partOf(options.progress, from, to) });
  const below = await ensureLayer(store, base, part(0, between ? 0.9 : 0.98));
  const middle = between && (await ensureLayer(store, between, part(0.9, 0.98)));
  return imageOf(below, await ensureLayer(store, own, part(0.98, 1)), middle);
}

/**
 * The image of this very source tree where its layers exist already, else null. A layer is one only when it was
 * finished and its whole key is that of the sources.
 * @param homes cache folders, looked through in this order
 * @param languages as `languagesOf` orders them
 */
export async function findImage(
  homes: readonly string[] = [pwpHome()],
  languages: readonly Language[] = [],
): Promise<Image | null> {
  const { base, own, between } = await recipes(languages);
  const stores = homes.map((home) => new LayerStore(home));
  const [below, top, middle] = await Promise.all(
    [base, own, between].map(async (recipe) => recipe && findIn(stores, recipe)),
  );
  if (!below || !top || (between && !middle)) return null;
  return imageOf(below, top, middle ?? null);
}

/** As {@link findImage}. Errors: `image-missing`. */
export async function requireImage(
  homes: readonly string[],
  languages: readonly Language[] = [],
): Promise<Image> {
  const image = await findImage(homes, languages);
  if (image) return image;
  const { base, own, between } = await recipes(languages);
  const folders = [base, ...(between ? [between] : []), own].map(layerFolder).join(' and ');
  const text = `${folders} are not all in ${homes.join(' or ')}`;
  throw new PwpError('image-missing', `the layers of the sandbox image are not there: ${text}`, {
    help: 'A node that brings its own layers needs none of this machine: PWP_NODE_IMAGE=complete',
  });
}

/** Finishes the layers of an image that is built by Docker: takes the lower one, which is there, and adds ours. */
export async function sealImage(
  home: string,
  options: Omit<ImageOptions, 'home' | 'languages'>,
): Promise<Image> {
  const { base, own } = await recipes();
  const store = new LayerStore(home);
  return imageOf(await store.adopt(base), await ensureLayer(store, own, options), null);
}

function imageOf(base: Layer, own: Layer, between: Layer | null): Image {
  const key = imageKey(base, own, between);
  return { key, layers: [own, between, base].flatMap((layer) => (layer ? [layer.rootfs] : [])) };
}

async function findIn(stores: readonly LayerStore[], recipe: LayerRecipe): Promise<Layer | null> {
  for (const store of stores) {
    const layer = await store.find(recipe);
    if (layer) return layer;
  }
  return null;
}
