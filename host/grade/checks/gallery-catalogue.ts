import { readFile } from 'node:fs/promises';

/** An extension of the gallery, as it was served. */
export interface ServedExtension {
  readonly version: string;
  /** Fields of package.json; installing adds `__metadata` to it, so that its bytes differ. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Hexadecimal SHA-256 of all other files, by path in the extension's folder. */
  readonly files: Readonly<Record<string, string>>;
}

/** The extensions of the gallery, by id in lower case. */
export type Catalogue = Readonly<Record<string, ServedExtension>>;

/** Reads the catalogue that the node has put beside this library. @param path where it is */
export async function readCatalogue(path = '/opt/pwp/grade/gallery.json'): Promise<Catalogue> {
  return JSON.parse(await readFile(path, 'utf8')) as Catalogue;
}
