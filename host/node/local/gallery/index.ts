export { Gallery } from './gallery.ts';
export { fileHashes, type Package } from './package.ts';
export { galleryEnvironment, galleryPort } from './place.ts';
export { readPackages, type GalleryPackages } from './packages.ts';
