export { Gallery } from './gallery.ts';
export { fileHashes, type Package } from './package.ts';
export { galleryEnvironment, galleryPort } from './place.ts';
export { readShelf, type Shelf } from './shelf.ts';
