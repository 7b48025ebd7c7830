export { hashPackageFiles, readGalleryPackages } from './extension-package.ts';
export { Gallery, galleryEnvironment, galleryPort } from './gallery.ts';
