import { join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { packageFolder, type Progress, pwpHome, scaleProgress } from '../../lib/index.ts';
import { dropRootFromKey } from '../agent-root.ts';
import type { Language } from '../sandbox-spec.ts';
import { createBaseRecipe, createLanguagesRecipe, parseLayerLanguages } from './debian-layers.ts';
import { ensureLayer } from './layer-build.ts';
import { type ImageLayer, layerFolderName, type LayerRecipe, LayerStore } from './layer-store.ts';
import { createOwnRecipe } from './own-layer.ts';

/** The file system that sandboxes start from. */
export interface SandboxImage {
  /** Changes when anything in the image changes. */
  readonly key: string;
  /** Folders for the `lowerdir` of an overlay, topmost first. Never to be written to. */
  readonly layers: readonly string[];
}

export interface SandboxImageOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** The cache folder. Default: as `PWP_HOME` says. */
  readonly home?: string;
  /** Its extra languages, as `resolveLanguages` orders them. Default: none. */
  readonly languages?: readonly Language[];
}

/** The image of this very source tree, built where it is not there yet. Errors: `needs-root`, `image-build-failed`. */
export async function ensureImage(options: SandboxImageOptions): Promise<SandboxImage> {
  const { base, own, between } = await createImageRecipes(options.languages);
  const store = new LayerStore(options.home ?? pwpHome());
  const part = (from: number, to: number) => ({
    ...options,
    progress: scaleProgress(options.progress, from, to),
  });
  const below = await ensureLayer(store, base, part(0, between ? 0.9 : 0.98));
  const middle = between && (await ensureLayer(store, between, part(0.9, 0.98)));
  return toSandboxImage(below, await ensureLayer(store, own, part(0.98, 1)), middle);
}

/**
 * The image of this very source tree where its layers exist already, else null. A layer is one only when it was
 * finished and its whole key is that of the sources.
 * @param homes cache folders, looked through in this order
 * @param languages as `resolveLanguages` orders them
 */
export async function findImage(
  homes: readonly string[] = [pwpHome()],
  languages: readonly Language[] = [],
): Promise<SandboxImage | null> {
  const { base, own, between } = await createImageRecipes(languages);
  const stores = homes.map((home) => new LayerStore(home));
  const [below, top, middle] = await Promise.all(
    [base, own, between].map(async (recipe) => recipe && findLayer(stores, recipe)),
  );
  if (!below || !top || (between && !middle)) return null;
  return toSandboxImage(below, top, middle ?? null);
}

/** As {@link findImage}. Errors: `image-missing`. */
export async function requireImage(
  homes: readonly string[],
  languages: readonly Language[] = [],
): Promise<SandboxImage> {
  const image = await findImage(homes, languages);
  if (image) return image;
  const { base, own, between } = await createImageRecipes(languages);
  const folders = [base, ...(between ? [between] : []), own].map(layerFolderName).join(' and ');
  const text = `${folders} are not all in ${homes.join(' or ')}`;
  throw new PwpError('image-missing', `the layers of the sandbox image are not there: ${text}`, {
    help: 'A node that brings its own layers needs none of this machine: PWP_NODE_IMAGE=complete',
  });
}

/** Finishes the layers of an image that is built by Docker: takes the lower one, which is there, and adds ours. */
export async function finishNodeImage(
  home: string,
  options: Omit<SandboxImageOptions, 'home' | 'languages'>,
): Promise<SandboxImage> {
  const { base, own } = await createImageRecipes();
  const store = new LayerStore(home);
  return toSandboxImage(await store.adopt(base), await ensureLayer(store, own, options), null);
}

function toSandboxImage(base: ImageLayer, own: ImageLayer, between: ImageLayer | null): SandboxImage {
  const key = makeSandboxImageKey(base, own, between);
  return { key, layers: [own, between, base].flatMap((layer) => (layer ? [layer.rootfs] : [])) };
}

async function findLayer(stores: readonly LayerStore[], recipe: LayerRecipe): Promise<ImageLayer | null> {
  for (const store of stores) {
    const layer = await store.find(recipe);
    if (layer) return layer;
  }
  return null;
}

/** The key of the lower layer, and its place below a cache folder, for machines of another kind than this one. */
export async function locateBaseLayer(
  arch: string,
): Promise<{ readonly key: string; readonly rootfs: string }> {
  const base = await createBaseRecipe(locateImageSources(), arch);
  return { key: base.key, rootfs: `images/${layerFolderName(base)}/rootfs` };
}

/** How the layers of this very source tree are made. */
interface ImageRecipes {
  readonly base: LayerRecipe;
  readonly own: LayerRecipe;
  /** Null for an image without further languages. */
  readonly between: LayerRecipe | null;
}

/** @param languages as `resolveLanguages` orders them */
export async function createImageRecipes(languages: readonly Language[] = []): Promise<ImageRecipes> {
  const root = packageFolder();
  const base = await createBaseRecipe(locateImageSources());
  const own = await createOwnRecipe({
    files: join(root, 'images/sandbox/files'),
    bridge: join(root, 'dist/bridge.cjs'),
    extension: join(root, 'dist/extension'),
    extensions: join(root, 'dist/extensions'),
    languages: join(root, 'dist/languages'),
  });
  const between =
    languages.length > 0 ? await createLanguagesRecipe(locateImageSources(), languages, base) : null;
  return { base, own, between };
}

function locateImageSources(): string {
  return join(packageFolder(), 'images/sandbox');
}

interface KeyedLayer {
  readonly name: string;
  readonly key: string;
}

/**
 * The key of these layers. Those of languages come last, by their names, so that a key can say what is missing for it.
 */
export function makeSandboxImageKey(base: KeyedLayer, own: KeyedLayer, between: KeyedLayer | null): string {
  const usual = `${shortenKey(base)}-${shortenKey(own)}`;
  return between ? `${usual}-${makeLanguagesKeyPart(between)}` : usual;
}

/** The part of an image's key for its layer of languages. */
export function makeLanguagesKeyPart(between: KeyedLayer): string {
  return `${parseLayerLanguages(between).join('-')}-${shortenKey(between)}`;
}

/** The languages of an image, by its key. */
export function parseKeyLanguages(key: string): readonly string[] {
  const [, names] = /^[0-9a-f]{16}-[0-9a-f]{16}-(.+)-[0-9a-f]{16}$/.exec(dropRootFromKey(key)) ?? [];
  return names?.split('-') ?? [];
}

function shortenKey({ key }: KeyedLayer): string {
  return key.slice(0, 16);
}
