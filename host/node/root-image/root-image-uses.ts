import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { contextsFolder, readMountTable } from '../../lib/index.ts';
import { removeBrokenBuilds } from './build-dockerfile.ts';
import { requireTools, runTool } from './image-tools.ts';
import { type KnownReference, RootStore } from './root-store.ts';
import { type StoredImage, type StoredLayer, stackLayers } from './storage-files.ts';
import { findOrphans, removeLayers } from './stray-layers.ts';

/** An image in the store, under one of the references that it was asked for by. */
export interface RootImageUse {
  readonly reference: string;
  /** `sha256:…` of its configuration. */
  readonly digest: string;
  /** Of its layers as uncompressed archives, with those that it shares with others. */
  readonly bytes: number;
  readonly layers: number;
  /** ISO 8601. */
  readonly fetchedAt: string;
  readonly usedAt: string;
  /** A sandbox has it mounted, or a saved checkpoint needs it. */
  readonly used: boolean;
}

export interface RootUsesOptions {
  /** The cache folder. */
  readonly home: string;
  /** Keys of images that saved checkpoints need: a root counts if 16 digits of its digest are in one. */
  readonly kept?: readonly string[];
}

/** All images for agents' roots, and whether they are needed. */
export async function listRootImages(options: RootUsesOptions): Promise<RootImageUse[]> {
  const store = new RootStore(options.home);
  const [records, view] = await Promise.all([store.records(), readStore(store, options.kept ?? [])]);
  const uses = records.flatMap((record) => describeUse(record, view) ?? []);
  return uses.sort((one, other) => one.reference.localeCompare(other.reference));
}

/** What the store had at one moment. */
interface StoreView {
  readonly images: readonly StoredImage[];
  readonly layers: ReadonlyMap<string, StoredLayer>;
  readonly isUsed: (image: StoredImage) => boolean;
}

async function readStore(store: RootStore, kept: readonly string[]): Promise<StoreView> {
  const [images, layers] = await Promise.all([store.files.images(), store.files.layers()]);
  const mounted = images.length === 0 ? [] : (await readMountTable()).map(({ options }) => options);
  const links = new Map(
    await Promise.all(
      [...layers.keys()].map(async (id): Promise<[string, string]> => {
        return [id, basename(await store.files.locateLayer(id).catch(() => id))];
      }),
    ),
  );
  // Under its short name, which has 26 random letters, or in full.
  const isMounted = (layer: string) =>
    mounted.some((text) => text.includes(links.get(layer) ?? layer) || text.includes(layer));
  const isUsed = ({ id, layer }: StoredImage) =>
    kept.some((key) => key.includes(id.slice(0, 16))) || (!!layer && isMounted(layer));
  return { images, layers, isUsed };
}

function describeUse(record: KnownReference, { images, layers, isUsed }: StoreView): RootImageUse | null {
  const image = images.find(({ id }) => id === record.image);
  if (!image) return null;
  const stack = stackLayers(layers, image.layer, { partly: true });
  return {
    reference: record.reference,
    digest: `sha256:${image.id}`,
    bytes: stack.reduce((sum, { bytes }) => sum + bytes, 0),
    layers: stack.length,
    fetchedAt: record.fetchedAt,
    usedAt: record.usedAt,
    used: isUsed(image),
  };
}

interface PruneRootsOptions extends RootUsesOptions {
  readonly signal: AbortSignal;
  /** Also images that were used in the last week. Default false. */
  readonly all?: boolean;
}

const weekMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Removes the images that nothing uses and that were not used for a week, the steps of builds, and layers that belong to
 * no image. Errors: `packages-missing`.
 */
export async function pruneRootImages({
  signal,
  all = false,
  ...options
}: PruneRootsOptions): Promise<{ removed: RootImageUse[]; freedBytes: number }> {
  const store = new RootStore(options.home);
  if ((await store.files.layers()).size === 0) return { removed: [], freedBytes: 0 };
  await requireTools(['skopeo']);
  return store.exclusively({ signal }, async () => {
    await removeBrokenBuilds(store, signal);
    const before = await readStore(store, options.kept ?? []);
    const uses = await listRootImages(options);
    const isFresh = ({ usedAt }: RootImageUse) => !all && Date.now() - Date.parse(usedAt) < weekMs;
    const staying = new Set(uses.filter((use) => use.used || isFresh(use)).map(({ digest }) => digest));
    const removed = uses.filter(({ digest }) => !staying.has(digest));
    for (const image of before.images)
      if (!staying.has(`sha256:${image.id}`) && !before.isUsed(image))
        await removeImage(store, image, signal);
    for (const record of await store.records())
      if (!staying.has(`sha256:${record.image}`)) await store.forget(record);
    await removeContexts(options.home, await store.records());
    const { files } = store;
    await removeLayers(files, findOrphans(await files.images(), await files.layers()));
    const left = await store.files.layers();
    const gone = [...before.layers.values()].filter(({ id }) => !left.has(id));
    return { removed, freedBytes: gone.reduce((sum, { bytes }) => sum + bytes, 0) };
  });
}

const dayMs = 24 * 60 * 60 * 1000;

/** Folders that no image is built from any more. One that was just made may be built from soon. */
async function removeContexts(home: string, records: readonly KnownReference[]): Promise<void> {
  const folder = contextsFolder(home);
  const known = new Set(records.map(({ reference }) => reference));
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const { ctimeMs } = await stat(path);
    if (!known.has(path) && Date.now() - ctimeMs > dayMs) await rm(path, { recursive: true, force: true });
  }
}

/** One that a container of an interrupted build holds stays, and goes with the next one. */
async function removeImage(store: RootStore, { id }: StoredImage, signal: AbortSignal): Promise<void> {
  await runTool('skopeo', ['delete', `containers-storage:@${id}`], { store, signal });
}
