import { PwpError } from '../../bridge/lib/index.ts';
import { pwpHome } from '../lib/index.ts';
import {
  connectEngine,
  listBoundFolders,
  listLentRoots,
  listNodeImages,
  pruneNodeImages,
} from './docker/index.ts';
import {
  type ImageUses,
  type LayerUse,
  listImageLayers,
  measureFolder,
  pruneImageLayers,
} from './image/index.ts';
import { listKeptImages } from './local/index.ts';
import type { Node } from './node.ts';
import { listRootImages, pruneRootImages, type RootImageUse } from './root-image/index.ts';

type DockerEngine = Awaited<ReturnType<typeof connectEngine>>;

/** Something that sandboxes or nodes are made of, and takes disk. */
export interface ImageInfo {
  /** Layers of sandboxes: `base`, `own`, `languages-…`; `root`, an image of the user's; images in Docker: `node`, `node-layers`, `node-base`, `rest` of a build. */
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
  /** The layer's folder, or the image's tag or id; of a `root` the name that it was asked for by. */
  readonly place: string;
  /** Of a `root`. */
  readonly layers?: number;
  /** When a `root` was last used, ISO 8601. */
  readonly usedAt?: string;
}

interface ImagesOptions {
  /** Only images of this kind of node; by default of both, where an engine that doesn't run has none. */
  readonly node?: Node['kind'] | undefined;
  readonly signal: AbortSignal;
}

/** The images and layers that exist. */
export async function listAllImages({ node, signal }: ImagesOptions): Promise<ImageInfo[]> {
  const engine = await findEngine(node);
  const uses = node === 'docker' ? {} : await collectUses(engine);
  const layers = node === 'docker' ? [] : await listImageLayers(uses);
  const roots = node === 'docker' ? [] : await listRootImages({ home: pwpHome(), ...uses });
  const images = engine && node !== 'local' ? await listNodeImages(engine) : [];
  return [
    ...(await Promise.all(layers.map((layer) => measureLayer(layer, signal)))),
    ...images.map(({ name, ...image }) => ({ ...image, place: name })),
    ...roots.map(describeRoot),
  ];
}

export interface PruneReport {
  readonly removed: readonly ImageInfo[];
  /** Disk space that was freed, in bytes: images in Docker share much, so this is less than their sizes together. */
  readonly freedBytes: number;
}

interface PruneOptions extends ImagesOptions {
  /** Also images of the user's that were used in the last week. Default false. */
  readonly all?: boolean | undefined;
}

/**
 * Removes what neither this source tree nor a sandbox or container uses. Layers that a node's container has mounted are in
 * use; so an engine that runs and can't be asked keeps all layers. Errors: `docker-denied`.
 */
export async function pruneAllImages({ node, signal, all = false }: PruneOptions): Promise<PruneReport> {
  const engine = await findEngine(node);
  const pruned = engine && node !== 'local' ? await pruneNodeImages(engine) : { removed: [], freedBytes: 0 };
  const images = pruned.removed.map(({ name, ...image }) => ({ ...image, place: name }));
  const uses = node === 'docker' ? {} : await collectUses(engine);
  const layers = node === 'docker' ? [] : await pruneImageLayers({ signal, ...uses });
  const layersBytes = layers.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
  const roots =
    node === 'docker'
      ? { removed: [], freedBytes: 0 }
      : await pruneRootImages({ home: pwpHome(), signal, all, ...uses });
  return {
    removed: [
      ...layers.map((layer) => toImageInfo(layer, layer.bytes)),
      ...images,
      ...roots.removed.map(describeRoot),
    ],
    freedBytes: layersBytes + pruned.freedBytes + roots.freedBytes,
  };
}

async function collectUses(engine: DockerEngine | undefined): Promise<ImageUses> {
  const kept = await listKeptImages();
  if (!engine) return { kept };
  return { bound: await listBoundFolders(engine), kept: [...kept, ...(await listLentRoots(engine))] };
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

function describeRoot({
  reference,
  digest,
  bytes,
  layers,
  fetchedAt,
  usedAt,
  used,
}: RootImageUse): ImageInfo {
  const key = digest.replace('sha256:', '');
  return {
    kind: 'root',
    key,
    bytes,
    builtAt: fetchedAt,
    current: false,
    used,
    place: reference,
    layers,
    usedAt,
  };
}
