import { PwpError } from '../../bridge/lib/index.ts';
import { connectEngine, listBoundFolders, listNodeImages, pruneNodeImages } from './docker/index.ts';
import {
  type ImageUses,
  type LayerUse,
  listImageLayers,
  measureFolder,
  pruneImageLayers,
} from './image/index.ts';
import { listKeptImages } from './local/index.ts';
import type { Node } from './node.ts';

type DockerEngine = Awaited<ReturnType<typeof connectEngine>>;

/** Something that sandboxes or nodes are made of, and takes disk. */
export interface ImageInfo {
  /** Layers of sandboxes: `base`, `own`, `languages-…`; images in Docker: `node`, `node-layers`, `node-base`, `rest` of a build. */
  readonly kind: string;
  readonly key: string;
  /** On disk; of images in Docker with what they share with others. Null if it is unknown. */
  readonly bytes: number | null;
  /** ISO 8601. */
  readonly builtAt: string;
  /** It belongs to this very source tree. */
  readonly current: boolean;
  /** A sandbox or a container uses it now. */
  readonly used: boolean;
  /** The layer's folder, or the image's tag or id. */
  readonly place: string;
}

interface ImagesOptions {
  /** Only images of this kind of node; by default of both, where an engine that doesn't run has none. */
  readonly node?: Node['kind'] | undefined;
  readonly signal: AbortSignal;
}

/** The images and layers that exist. */
export async function listAllImages({ node, signal }: ImagesOptions): Promise<ImageInfo[]> {
  const engine = await findEngine(node);
  const layers = node === 'docker' ? [] : await listImageLayers(await collectUses(engine));
  const images = engine && node !== 'local' ? await listNodeImages(engine) : [];
  return [
    ...(await Promise.all(layers.map((layer) => measureLayer(layer, signal)))),
    ...images.map(({ name, ...image }) => ({ ...image, place: name })),
  ];
}

export interface PruneReport {
  readonly removed: readonly ImageInfo[];
  /** Disk space that was freed, in bytes: images in Docker share much, so this is less than their sizes together. */
  readonly freedBytes: number;
}

/**
 * Removes what neither this source tree nor a sandbox or container uses. Layers that a node's container has mounted are in
 * use; so an engine that runs and can't be asked keeps all layers. Errors: `docker-denied`.
 */
export async function pruneAllImages({ node, signal }: ImagesOptions): Promise<PruneReport> {
  const engine = await findEngine(node);
  const pruned = engine && node !== 'local' ? await pruneNodeImages(engine) : { removed: [], freedBytes: 0 };
  const images = pruned.removed.map(({ name, ...image }) => ({ ...image, place: name }));
  const layers = node === 'docker' ? [] : await pruneImageLayers({ signal, ...(await collectUses(engine)) });
  const layersBytes = layers.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  return {
    removed: [...layers.map((layer) => toImageInfo(layer, layer.bytes)), ...images],
    freedBytes: layersBytes + pruned.freedBytes,
  };
}

async function collectUses(engine: DockerEngine | undefined): Promise<ImageUses> {
  return { bound: engine ? await listBoundFolders(engine) : [], kept: await listKeptImages() };
}

/** Undefined if no engine runs, unless Docker was requested. */
async function findEngine(node: Node['kind'] | undefined) {
  try {
    return await connectEngine();
  } catch (error) {
    if (node !== 'docker' && error instanceof PwpError && error.code === 'docker-missing') return undefined;
    throw error;
  }
}

async function measureLayer(layer: LayerUse, signal: AbortSignal): Promise<ImageInfo> {
  return toImageInfo(layer, await measureFolder(layer.rootfs, signal));
}

function toImageInfo(
  { name, key, rootfs, builtAt, current, used }: LayerUse,
  bytes: number | null,
): ImageInfo {
  return { kind: name, key, bytes, builtAt, current, used, place: rootfs };
}
