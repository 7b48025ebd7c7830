export { explainDamage } from './damage.ts';
export { baseInputs, npmRegistry, provideCertificates } from './base.ts';
export { ensureLayer, type BuildOptions } from './build.ts';
export { ensureImage, findImage, requireImage, sealImage, type Image, type ImageOptions } from './image.ts';
export { languagesOfKey } from './key.ts';
export { baseLayer } from './recipes.ts';
export { LayerStore } from './store.ts';
export { bytesOf, listImages, pruneImages, type LayerUse, type PruneOptions, type Uses } from './uses.ts';
export type { Layer, LayerRecipe, RunOptions, Workshop } from './layer.ts';
