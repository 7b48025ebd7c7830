import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageFiles, StoredImage, StoredLayer } from './storage-files.ts';

/** Layers that no image needs: those of interrupted copies. */
export function findOrphans(
  images: readonly StoredImage[],
  layers: ReadonlyMap<string, StoredLayer>,
): StoredLayer[] {
  const needed = new Set<string>();
  for (const image of images)
    for (let at = image.layer ?? null; at && !needed.has(at); at = layers.get(at)?.parent ?? null)
      needed.add(at);
  return [...layers.values()].filter(({ id }) => !needed.has(id));
}

/**
 * Removes layers that no image and no container has; no tool of Debian's can. Nothing else may write to the store
 * meanwhile.
 */
export async function removeLayers(files: StorageFiles, layers: readonly StoredLayer[]): Promise<void> {
  if (layers.length === 0 || (await files.containerIds()).length > 0) return;
  const doomed = new Set(layers.map(({ id }) => id));
  const list = join(files.folder, 'overlay-layers/layers.json');
  const all = JSON.parse(await readFile(list, 'utf8')) as { readonly id: string }[];
  await writeFile(`${list}.pwp`, JSON.stringify(all.filter(({ id }) => !doomed.has(id))));
  const links = await Promise.all(layers.map(({ id }) => files.locateLayer(id).catch(() => null)));
  await rename(`${list}.pwp`, list);
  const archives = layers.map(({ id }) => join(files.folder, `overlay-layers/${id}.tar-split.gz`));
  const folders = layers.map(({ id }) => join(files.folder, 'overlay', id));
  for (const path of [...links, ...archives, ...folders])
    if (path !== null) await rm(path, { recursive: true, force: true });
}
