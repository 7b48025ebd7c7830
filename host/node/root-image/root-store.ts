import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { deadline } from '../../../bridge/lib/index.ts';
import { acquireLock, isFolder, type LockOptions } from '../../lib/index.ts';
import { unmountBelow } from '../container/index.ts';
import { parseImageConfig, type RootConfig } from './root-config.ts';
import { StorageFiles, stackLayers } from './storage-files.ts';
import { removeLayers } from './stray-layers.ts';

/** An image that can be the root of a sandbox. */
export interface RootImage {
  /** As it was asked for. */
  readonly reference: string;
  /** `sha256:…` of its configuration: another one for any other layer, variable, user or folder. */
  readonly digest: string;
  /**
   * Folders for the `lowerdir` of an overlay, topmost first. Never to be written to. The topmost folder's mode is that of
   * the root: a layer above these must have the mode that `/` is to have.
   */
  readonly layers: readonly string[];
  readonly config: RootConfig;
  /** Of its layers as uncompressed archives: about what they take on the disk. */
  readonly bytes: number;
  /** As images name it: `amd64`. */
  readonly arch: string;
}

const recordSchema = z.object({
  reference: z.string(),
  /** The image's id in the store. */
  image: z.string(),
  /** What the image was made from, in a form that changes with it; empty if nothing shows that cheaply. */
  state: z.string(),
  fetchedAt: z.string(),
});
type ReferenceRecord = z.infer<typeof recordSchema>;

/** Folders of one writer. */
const passingFolders = ['run', 'tmp'];
const clearMs = 60_000;

/** A reference, and the image that it stood for when it was last fetched. */
export interface KnownReference extends ReferenceRecord {
  /** ISO 8601. */
  readonly usedAt: string;
}

/**
 * The images of one machine for agents' roots, in a store of containers-storage that is ours alone, with each layer once:
 *
 * - `store`: images and layers, as skopeo and buildah write them
 * - `references`: a file for each reference that was asked for
 * - `lock`, `run`, `tmp`: of the one process that writes
 */
export class RootStore {
  readonly folder: string;
  readonly files: StorageFiles;

  /** @param home the cache folder */
  constructor(home: string) {
    this.folder = resolve(home, 'roots');
    this.files = new StorageFiles(join(this.folder, 'store'));
  }

  /** For files of the work that {@link exclusively} runs: removed before the next one. */
  get temporary(): string {
    return join(this.folder, 'tmp');
  }

  /** For `CONTAINERS_STORAGE_CONF`. */
  get settings(): string {
    return join(this.folder, 'storage.conf');
  }

  /** One writer at a time, in all processes. Leftovers of a killed one are removed before `work` begins. */
  async exclusively<T>(options: LockOptions, work: () => Promise<T>): Promise<T> {
    await using stack = new AsyncDisposableStack();
    stack.use(await acquireLock(join(this.folder, 'lock'), options));
    await this.#clear(options.signal);
    stack.defer(async () => {
      using limit = deadline('removal of temporary files', clearMs);
      await this.#clear(limit.signal);
    });
    for (const name of passingFolders) await mkdir(join(this.folder, name), { mode: 0o700 });
    await writeFile(this.settings, this.#settings());
    const broken = [...(await this.files.layers()).values()].filter(({ incomplete }) => incomplete);
    await removeLayers(this.files, broken);
    return await work();
  }

  /** The image of a reference, if it is whole in the store. */
  async find(key: string, reference: string): Promise<RootImage | null> {
    const known = await this.record(key);
    return known && (await this.read(known.image, reference).catch(() => null));
  }

  /** An image by its id. Errors: `bad-image`. */
  async read(id: string, reference: string): Promise<RootImage | null> {
    const image = (await this.files.images()).find((one) => one.id === id);
    if (!image) return null;
    const stack = stackLayers(await this.files.layers(), image.layer);
    const layers = await Promise.all(stack.map((layer) => this.files.locateLayer(layer.id)));
    for (const layer of layers) if (!(await isFolder(layer))) return null;
    const { arch, config } = parseImageConfig(await this.files.readConfig(id));
    const bytes = stack.reduce((sum, layer) => sum + layer.bytes, 0);
    return { reference, digest: `sha256:${id}`, layers, config, bytes, arch };
  }

  async record(key: string): Promise<KnownReference | null> {
    return this.#readRecord(hashKey(key));
  }

  async records(): Promise<KnownReference[]> {
    const names = await readdir(join(this.folder, 'references')).catch(() => []);
    const all = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => this.#readRecord(name.slice(0, -5))),
    );
    return all.filter((one) => one !== null);
  }

  async writeRecord(key: string, record: Omit<ReferenceRecord, 'fetchedAt'>): Promise<void> {
    const folder = join(this.folder, 'references');
    await mkdir(folder, { recursive: true });
    const text = JSON.stringify({ ...record, fetchedAt: new Date().toISOString() });
    await writeFile(join(this.temporary, 'record'), text);
    await rename(join(this.temporary, 'record'), join(folder, `${hashKey(key)}.json`));
  }

  /** Notes that an image is used now. */
  async touch(key: string): Promise<void> {
    const now = new Date();
    await utimes(this.#recordFile(hashKey(key)), now, now).catch(() => undefined);
  }

  async forget(reference: KnownReference): Promise<void> {
    const names = await readdir(join(this.folder, 'references')).catch(() => []);
    for (const name of names) {
      const record = await this.#readRecord(name.replace('.json', ''));
      if (record?.reference === reference.reference && record.image === reference.image)
        await rm(join(this.folder, 'references', name), { force: true });
    }
  }

  /** `run` says which layers are mounted: none is when nothing writes. */
  async #clear(signal: AbortSignal): Promise<void> {
    for (const name of passingFolders) {
      await unmountBelow(join(this.folder, name), signal);
      await rm(join(this.folder, name), { recursive: true, force: true });
    }
  }

  #recordFile(hash: string): string {
    return join(this.folder, 'references', `${hash}.json`);
  }

  async #readRecord(hash: string): Promise<KnownReference | null> {
    const file = this.#recordFile(hash);
    try {
      const record = recordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
      return { ...record, usedAt: (await stat(file)).mtime.toISOString() };
    } catch {
      return null;
    }
  }

  /** The home is not mounted on itself, which the store would do for its own overlays: ours are private to each tool. */
  #settings(): string {
    const quote = (name: string) => JSON.stringify(join(this.folder, name));
    return [
      '[storage]',
      'driver = "overlay"',
      `graphroot = ${quote('store')}`,
      `runroot = ${quote('run')}`,
      '[storage.options.overlay]',
      'skip_mount_home = "true"',
      '',
    ].join('\n');
  }
}

/** The name in the store that finds the image of a reference after it was copied there. */
export function storeName(key: string): string {
  const tag = createHash('sha256').update(key).digest('hex').slice(0, 32);
  return `localhost/pwp-root:${tag}`;
}

function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
