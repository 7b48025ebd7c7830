import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import * as z from 'zod';
import { deadline, poll, type Probe, PwpError } from '../../../bridge/lib/index.ts';
import { clipEnd } from '../../../bridge/text/index.ts';
import { acquireLock, listMountPoints, type LockOptions, type Progress } from '../../lib/index.ts';

const layerSchema = z.object({
  name: z.string(),
  key: z.string(),
  builtAt: z.string(),
  buildSeconds: z.number(),
});
const unfinishedLayerPrefix = '.unfinished-';

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
    return join(this.folder, 'logs', `${layerFolderName(recipe)}.log`);
  }

  async find(recipe: LayerRecipe): Promise<ImageLayer | null> {
    const layer = await this.#read(layerFolderName(recipe));
    // The folder's name holds only the first part of the key.
    return layer?.key === recipe.key ? layer : null;
  }

  /** Takes a layer that was put into its folder by other means, e.g. by a Dockerfile. Errors: `image-missing`. */
  async adopt(recipe: LayerRecipe): Promise<ImageLayer> {
    const folder = join(this.folder, layerFolderName(recipe));
    await stat(join(folder, 'rootfs')).catch((cause: unknown) => {
      throw new PwpError('image-missing', `there is no layer in ${folder}`, { cause });
    });
    const builtAt = new Date().toISOString();
    const layer = { name: recipe.name, key: recipe.key, builtAt, buildSeconds: 0 };
    await writeFile(join(folder, 'layer.json'), JSON.stringify(layer));
    return { ...layer, rootfs: join(folder, 'rootfs') };
  }

  async list(): Promise<ImageLayer[]> {
    const names = await readdir(this.folder).catch(() => []);
    const layers = await Promise.all(
      names.filter((name) => !name.startsWith('.')).map((name) => this.#read(name)),
    );
    return layers.filter((layer) => layer !== null);
  }

  /** A folder for a layer in the making. Within {@link exclusively} only. */
  async begin(recipe: LayerRecipe): Promise<string> {
    const folder = join(this.folder, `${unfinishedLayerPrefix}${layerFolderName(recipe)}`);
    await mkdir(join(folder, 'rootfs'), { recursive: true });
    await mkdir(join(folder, 'scratch'));
    await mkdir(join(this.folder, 'logs'), { recursive: true });
    return folder;
  }

  /** Turns the folder from {@link begin} into a layer: one rename, so that no process ever sees half of it. */
  async finish(folder: string, recipe: LayerRecipe, buildSeconds: number): Promise<void> {
    await removeMountedTree(join(folder, 'scratch'));
    const builtAt = new Date().toISOString();
    await writeFile(
      join(folder, 'layer.json'),
      JSON.stringify({ name: recipe.name, key: recipe.key, builtAt, buildSeconds }),
    );
    await rename(folder, join(this.folder, layerFolderName(recipe)));
  }

  async #clean(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names)
      if (name.startsWith(unfinishedLayerPrefix)) await removeMountedTree(join(this.folder, name));
  }

  /** Within {@link exclusively} only. */
  async remove(layer: ImageLayer): Promise<void> {
    const doomed = join(this.folder, `${unfinishedLayerPrefix}${layerFolderName(layer)}`);
    await rename(join(this.folder, layerFolderName(layer)), doomed);
    await removeMountedTree(doomed);
  }

  async #read(name: string): Promise<ImageLayer | null> {
    const folder = join(this.folder, basename(name));
    try {
      const text = await readFile(join(folder, 'layer.json'), 'utf8');
      return { ...layerSchema.parse(JSON.parse(text)), rootfs: join(folder, 'rootfs') };
    } catch {
      return null;
    }
  }
}

/** The name of a layer's folder. */
export function layerFolderName(layer: { name: string; key: string }): string {
  return `${layer.name}-${layer.key.slice(0, 16)}`;
}

/** How one read-only layer of a file system is made. */
export interface LayerRecipe {
  /** Short word for people and for the folder's name, e.g. `base`. */
  readonly name: string;
  /** Changes when anything changes that goes into the layer. Hexadecimal. */
  readonly key: string;
  /** Fills `workshop.rootfs`. */
  readonly fill: (workshop: LayerWorkshop) => Promise<void>;
}

/** The folders and the runner that a recipe works with while its layer is built. */
export interface LayerWorkshop {
  /** An empty folder: the root of the layer. */
  readonly rootfs: string;
  /** An empty folder for temporary files; removed afterwards. */
  readonly scratch: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Runs a program and keeps its output in the build log. Rejects with `image-build-failed` and its last lines. */
  readonly run: (argv: readonly string[], options?: BuildRunOptions) => Promise<void>;
}

export interface BuildRunOptions {
  readonly cwd?: string;
  /** The whole environment; without it PATH, HOME and the proxy variables of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /**
   * Runs it as root in mount and pid namespaces of its own, which end with it and with this process, however it ends:
   * its mounts and processes can't be left behind.
   */
  readonly isolated?: boolean;
}

/** An existing layer. */
export interface ImageLayer {
  readonly name: string;
  readonly key: string;
  /** Its root folder, for the `lowerdir` of an overlay. Never to be written to. */
  readonly rootfs: string;
  /** ISO 8601. */
  readonly builtAt: string;
  /** 0 where it was not built here. */
  readonly buildSeconds: number;
}

/**
 * Removes a folder and everything below it. Mounts in it are unmounted first, innermost first, and no file system but
 * the folder's own is ever emptied: /dev of this machine may be bound into the tree.
 */
export async function removeMountedTree(folder: string): Promise<void> {
  for (const point of await listMountPoints(folder))
    await execa('umount', ['--lazy', point], { reject: false });
  // Processes of a build that was just killed may still add a file while they die.
  using limit = deadline(`removal of ${folder}`, 10_000);
  await poll(`removal of ${folder}`, () => removeFiles(folder), { intervalMs: 100, signal: limit.signal });
}

async function removeFiles(folder: string): Promise<Probe<void>> {
  const { exitCode, stderr } = await execa('rm', ['-rf', '--one-file-system', folder], { reject: false });
  return exitCode === 0 ? { done: true, value: undefined } : { done: false, saw: clipEnd(stderr, 500) };
}
