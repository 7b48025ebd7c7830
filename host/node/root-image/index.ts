export type { BuildNetwork } from './build-network.ts';
export type { EngineImage, EngineImages } from './engine-images.ts';
export { ensureRootImage, type RootImageOptions } from './ensure-root-image.ts';
export { resolveInImage } from './image-paths.ts';
export { findImageUser } from './image-user.ts';
export type { RootConfig } from './root-config.ts';
export {
  listRootImages,
  pruneRootImages,
  type RootImageUse,
  type RootUsesOptions,
} from './root-image-uses.ts';
export type { RootImage } from './root-store.ts';
