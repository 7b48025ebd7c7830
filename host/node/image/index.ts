export { baseInputs, copyCertificates, readNpmRegistry } from './debian-layers.ts';
export {
  type ImageUses,
  type LayerUse,
  listImageLayers,
  measureFolder,
  pruneImageLayers,
} from './image-uses.ts';
export {
  ensureImage,
  findImage,
  finishNodeImage,
  locateBaseLayer,
  parseKeyLanguages,
  requireImage,
  type SandboxImage,
  type SandboxImageOptions,
} from './sandbox-image.ts';
