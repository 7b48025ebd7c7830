import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from '../../../lib/index.ts';
import { makePackage, readPackage, type Package } from './package.ts';

/** Every extension of the gallery, by id. */
export type GalleryPackages = ReadonlyMap<string, Package>;

/** Where the gallery's packages are: a folder for each stand-in, and any `.vsix` files beside them. */
export function galleryFolder(): string {
  return join(packageFolder(import.meta.url), 'images/gallery');
}

/** Reads all packages of a folder. A `.vsix` replaces a stand-in of the same id. Errors: `bad-package`. */
export async function readPackages(folder: string = galleryFolder()): Promise<GalleryPackages> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const packages = new Map<string, Package>();
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const files = await readFiles(join(folder, entry.name));
    if (files.has('package.json')) add(packages, makePackage(entry.name, files));
  }
  for (const entry of entries)
    if (entry.isFile() && entry.name.endsWith('.vsix'))
      add(packages, readPackage(entry.name, await readFile(join(folder, entry.name))));
  return packages;
}

function add(packages: Map<string, Package>, one: Package): void {
  packages.set(one.id, one);
}

async function readFiles(folder: string, prefix = ''): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      for (const [name, bytes] of await readFiles(path, `${prefix}${entry.name}/`)) files.set(name, bytes);
    else if (entry.isFile()) files.set(`${prefix}${entry.name}`, await readFile(path));
  }
  return files;
}
