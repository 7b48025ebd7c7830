import { mkdir, readFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { acquireLock, type LockOptions } from '../../../lib/index.ts';
import { removeTree } from './remove.ts';
import type { Layer, LayerRecipe } from './layer.ts';

const record = z.object({ name: z.string(), key: z.string(), builtAt: z.string(), buildSeconds: z.number() });
const unfinished = '.unfinished-';

/** The layers of one machine: a folder `<name>-<key>` for each, whole or not there at all. */
export class LayerStore {
  readonly folder: string;

  constructor(home: string) {
    this.folder = join(home, 'images');
  }

  /**
   * One build or removal at a time, in all processes; the leftovers of broken ones are cleaned up before `work` begins.
   */
  async exclusively<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
    const lock = await acquireLock(join(this.folder, 'lock'), options);
    try {
      await this.#clean();
      return await work();
    } finally {
      await lock[Symbol.asyncDispose]();
    }
  }

  logFile(recipe: LayerRecipe): string {
    return join(this.folder, 'logs', `${layerFolder(recipe)}.log`);
  }

  async find(recipe: LayerRecipe): Promise<Layer | null> {
    const layer = await this.#read(layerFolder(recipe));
    // The folder's name holds only the first part of the key.
    return layer?.key === recipe.key ? layer : null;
  }

  /** Takes a layer that was put into its folder by other means, e.g. by a Dockerfile. Errors: `image-missing`. */
  async adopt(recipe: LayerRecipe): Promise<Layer> {
    const folder = join(this.folder, layerFolder(recipe));
    await stat(join(folder, 'rootfs')).catch((cause: unknown) => {
      throw new PwpError('image-missing', `there is no layer in ${folder}`, { cause });
    });
    const builtAt = new Date().toISOString();
    const layer = { name: recipe.name, key: recipe.key, builtAt, buildSeconds: 0 };
    await writeFile(join(folder, 'layer.json'), JSON.stringify(layer));
    return { ...layer, rootfs: join(folder, 'rootfs') };
  }

  async list(): Promise<Layer[]> {
    const names = await readdir(this.folder).catch(() => []);
    const layers = await Promise.all(
      names.filter((name) => !name.startsWith('.')).map((name) => this.#read(name)),
    );
    return layers.filter((layer) => layer !== null);
  }

  /** A folder for a layer in the making. Within {@link exclusively} only. */
  async begin(recipe: LayerRecipe): Promise<string> {
    const folder = join(this.folder, `${unfinished}${layerFolder(recipe)}`);
    await mkdir(join(folder, 'rootfs'), { recursive: true });
    await mkdir(join(folder, 'scratch'));
    await mkdir(join(this.folder, 'logs'), { recursive: true });
    return folder;
  }

  /** Turns the folder from {@link begin} into a layer: one rename, so that no process ever sees half of it. */
  async finish(folder: string, recipe: LayerRecipe, buildSeconds: number): Promise<void> {
    await removeTree(join(folder, 'scratch'));
    const builtAt = new Date().toISOString();
    await writeFile(
      join(folder, 'layer.json'),
      JSON.stringify({ name: recipe.name, key: recipe.key, builtAt, buildSeconds }),
    );
    await rename(folder, join(this.folder, layerFolder(recipe)));
  }

  async #clean(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names) if (name.startsWith(unfinished)) await removeTree(join(this.folder, name));
  }

  /** Within {@link exclusively} only. */
  async remove(layer: Layer): Promise<void> {
    const doomed = join(this.folder, `${unfinished}${layerFolder(layer)}`);
    await rename(join(this.folder, layerFolder(layer)), doomed);
    await removeTree(doomed);
  }

  async #read(name: string): Promise<Layer | null> {
    const folder = join(this.folder, basename(name));
    try {
      const text = await readFile(join(folder, 'layer.json'), 'utf8');
      return { ...record.parse(JSON.parse(text)), rootfs: join(folder, 'rootfs') };
    } catch {
      return null;
    }
  }
}

/** The name of a layer's folder. */
export function layerFolder(layer: { name: string; key: string }): string {
  return `${layer.name}-${layer.key.slice(0, 16)}`;
}
