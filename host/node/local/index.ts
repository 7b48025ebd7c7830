export { LocalNode, createLocalNode, type LocalNodeOptions } from './local-node.ts';
export { fileHashes, readPackages, type Package, type GalleryPackages } from './gallery/index.ts';
export { disposeOnSignals } from './signals.ts';
export { keptImages } from './kept-images.ts';
export { isHere } from './here-by-id.ts';
export { canBeLocal } from './here.ts';
export { prepareLocal } from './prepare.ts';
export { raiseWatchLimits, watchLimits, type WatchLimits } from './watch-limits.ts';
export {
  baseInputs,
  baseLayer,
  bytesOf,
  ensureImage,
  findImage,
  listImages,
  npmRegistry,
  provideCertificates,
  pruneImages,
  requireImage,
  sealImage,
  type Image,
  type Layer,
  type LayerUse,
  type PruneOptions,
  type Uses,
} from './image/index.ts';
