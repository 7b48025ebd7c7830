import { readFile } from 'node:fs/promises';
import { describeError, PwpError } from '../../../bridge/lib/index.ts';
import type { ProcessIdentity, Progress } from '../../lib/index.ts';
import { buildDockerfile, removeBrokenBuilds } from './build-dockerfile.ts';
import type { BuildNetwork } from './build-network.ts';
import { listBaseImages } from './dockerfile-text.ts';
import { type EngineImage, type EngineImages, exportImage } from './engine-images.ts';
import { copyImage } from './fetch-image.ts';
import {
  formatImageName,
  formatImageSource,
  type ImageName,
  type ImageSource,
  isLoopbackRegistry,
  parseImageReference,
  shortenImageName,
} from './image-reference.ts';
import { requireTools } from './image-tools.ts';
import { addressLocalImage } from './local-address.ts';
import { type LocalImage, readLocalState, recognizeLocalImage } from './local-images.ts';
import { type RootImage, RootStore, storeName } from './root-store.ts';

export interface RootImageOptions {
  /** The cache folder. */
  readonly home: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** The images of the Docker Engine; null if none answers. Default: no engine is asked. */
  readonly engine?: () => Promise<EngineImages | null>;
  /** Installs Debian packages. Default: missing ones are an error. */
  readonly install?: (packages: readonly string[]) => Promise<void>;
  /** Fetches or builds the image also if it is there: its name may mean a newer one now. Default false. */
  readonly refresh?: boolean;
  /** What the build of a Dockerfile reaches. Default `public`. */
  readonly network?: BuildNetwork;
  /** IP addresses of names that the proxy of a build does not look up; these may be private. Default: none. */
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * The image of a reference, as layers for an overlay: fetched or built where it is not there yet. A name is looked for in
 * the store, in the engine, and in its registry, in this order; what was taken from the engine or from files of this
 * machine is taken again when it has changed there. At the same time, callers for one reference in any process fetch it
 * once.
 *
 * Errors: `bad-image-name`, `no-such-image`, `no-such-file`, `bad-image`, `other-architecture`, `registry-unreachable`,
 * `image-build-failed`, `disk-full`, `packages-missing`, `needs-linux`, `network-failed`.
 */
export async function ensureRootImage(reference: string, options: RootImageOptions): Promise<RootImage> {
  const source = parseImageReference(reference);
  const key = formatImageSource(source);
  const store = new RootStore(options.home);
  const search = new RootSearch(reference, source, store, options);
  const there = options.refresh ? null : await search.findCurrent();
  if (there) {
    await store.touch(key);
    return there;
  }
  const { progress, signal } = options;
  await requireTools(await search.tools(), options.install);
  const onWait = (holder: ProcessIdentity | null) =>
    progress.stage(`Waiting for another image${holder ? ` (process ${holder.pid})` : ''}`);
  return store.exclusively({ signal, onWait }, async () => {
    const meanwhile = options.refresh ? null : await search.findCurrent();
    return meanwhile ?? (await search.fetch().catch((error: unknown) => explainFull(error, store)));
  });
}

/** Rethrows, as `disk-full` where a full disk is the cause. */
function explainFull(error: unknown, { folder }: RootStore): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
  throw new PwpError('disk-full', `no space left for images in ${folder}`, {
    help: 'Make room: pwp images prune --all removes images that nothing uses.',
    cause: error,
  });
}

/** One reference, where it is looked for and how it is fetched. */
class RootSearch {
  readonly #reference: string;
  readonly #source: ImageSource;
  readonly #key: string;
  readonly #store: RootStore;
  readonly #options: RootImageOptions;

  constructor(reference: string, source: ImageSource, store: RootStore, options: RootImageOptions) {
    this.#reference = reference;
    this.#source = source;
    this.#key = formatImageSource(source);
    this.#store = store;
    this.#options = options;
  }

  /** The image in the store, unless its source shows another state by now. */
  async findCurrent(): Promise<RootImage | null> {
    const record = await this.#store.record(this.#key);
    if (!record) return null;
    const state = await this.#currentState(record.state);
    return state === record.state ? this.#store.find(this.#key, this.#reference) : null;
  }

  async tools(): Promise<('skopeo' | 'buildah')[]> {
    const local = await this.#local();
    return local?.kind === 'dockerfile' ? ['buildah', 'skopeo'] : ['skopeo'];
  }

  /** Within {@link RootStore.exclusively} only. */
  async fetch(): Promise<RootImage> {
    const [store, { signal, progress }] = [this.#store, this.#options];
    await removeBrokenBuilds(store, signal);
    const local = await this.#local();
    const name = this.#nameInStore();
    const state = local ? await this.#fetchLocal(local, name) : await this.#fetchNamed(name);
    progress.stage(`Checking ${this.#reference}`, 0.98);
    return this.#keep(name, state);
  }

  /** Notes what the reference stands for now. Errors: `bad-image`. */
  async #keep(name: string, state: string): Promise<RootImage> {
    const store = this.#store;
    const image = (await store.files.images()).find((one) => one.names?.includes(name));
    const root = image && (await store.read(image.id, this.#reference));
    if (!root) throw new PwpError('bad-image', `${this.#reference} is not in the store after it was fetched`);
    // A path is known in full, since it may be asked for from another folder.
    const reference = 'name' in this.#source ? this.#reference : this.#key;
    await store.writeRecord(this.#key, { reference, image: root.digest.slice(7), state });
    return root;
  }

  async #local(): Promise<LocalImage | null> {
    if (this.#source.kind === 'path') return recognizeLocalImage(this.#source.path);
    if (this.#source.kind !== 'stored') return null;
    const { format, path } = this.#source;
    return { kind: 'stored', format, path };
  }

  /** What the image would be made from now, in the form of {@link fetch}; the recorded state where no one can say. */
  async #currentState(recorded: string): Promise<string> {
    const local = await this.#local();
    if (local) return readLocalState(local);
    const image = recorded.startsWith(fromEngine) ? await this.#findInEngine().catch(() => null) : null;
    return image ? engineState(image.image) : recorded;
  }

  /** The name that a Dockerfile would use, so that it finds the image; else one of ours. */
  #nameInStore(): string {
    const { kind } = this.#source;
    const named = kind === 'name' || kind === 'registry' || kind === 'engine';
    return named && this.#source.name.tag !== null
      ? formatImageName(this.#source.name)
      : storeName(this.#key);
  }

  async #fetchLocal(local: LocalImage, name: string): Promise<string> {
    const state = await readLocalState(local);
    const { progress, signal, network = 'public', names = {} } = this.#options;
    const store = this.#store;
    if (local.kind === 'dockerfile') await this.#takeBases(local.path);
    if (local.kind === 'dockerfile')
      await buildDockerfile({
        ...{ file: local.path, name, network, names, store, progress, signal },
        newest: this.#options.refresh ?? false,
      });
    else {
      const image = this.#source.kind === 'stored' ? this.#source.image : null;
      const { temporary } = store;
      await this.#copy(await addressLocalImage(local, { image, temporary, progress, signal }), name);
    }
    return state;
  }

  /** Buildah asks registries alone: what the engine has is copied first, so that it finds it by its name. */
  async #takeBases(file: string): Promise<void> {
    const text = await readFile(file, 'utf8').catch(() => '');
    for (const reference of listBaseImages(text)) {
      const source = parseImageReference(reference);
      if (source.kind !== 'name' || source.name.tag === null) continue;
      const base = new RootSearch(reference, source, this.#store, this.#options);
      await base.#takeFromEngine();
    }
  }

  /** Nothing if the engine does not have it, or the store has it as it is there. */
  async #takeFromEngine(): Promise<void> {
    const found = await this.#findInEngine().catch(() => null);
    if (found === null || (await this.findCurrent())) return;
    const state = await this.#export(found, this.#nameInStore());
    await this.#keep(this.#nameInStore(), state);
  }

  async #copy(address: string, name: string, insecure = false): Promise<void> {
    const { progress, signal } = this.#options;
    const origin = { address, reference: this.#reference, insecure };
    await copyImage(origin, name, { store: this.#store, progress, signal });
  }

  /** Errors: `no-such-image` with all that was tried, `registry-unreachable`. */
  async #fetchNamed(name: string): Promise<string> {
    const { kind } = this.#source;
    const tried: string[] = [];
    if (kind !== 'registry') {
      const found = await this.#findInEngine().catch((error: unknown) => {
        tried.push(`engine: ${describeError(error)}`);
        return null;
      });
      if (found) return this.#export(found, name);
      if (tried.length === 0) tried.push('engine: it has no image of this name');
    }
    if (kind !== 'engine') {
      const failure = await this.#fetchFromRegistry(name);
      if (!failure) return '';
      tried.push(`registry ${this.#imageName().host}: ${describeError(failure)}`);
      throw this.#explainTried(tried, failure);
    }
    throw this.#explainTried(tried);
  }

  /** Null if it was fetched; the error where another place could have the image. */
  async #fetchFromRegistry(name: string): Promise<PwpError | null> {
    const image = this.#imageName();
    try {
      await this.#copy(`docker://${formatImageName(image)}`, name, isLoopbackRegistry(image));
      return null;
    } catch (error) {
      const elsewhere = ['no-such-image', 'registry-unreachable'];
      if (error instanceof PwpError && elsewhere.includes(error.code)) return error;
      throw error;
    }
  }

  #explainTried(tried: readonly string[], cause?: PwpError): PwpError {
    const text = [`there is no image ${this.#reference}`, ...tried].join('\n  ');
    const help =
      cause?.help ?? `Check the name. An image of this machine is named by its path: ./${this.#reference}`;
    return new PwpError(cause?.code ?? 'no-such-image', text, { help, cause });
  }

  async #export({ engine, image }: FoundInEngine, target: string): Promise<string> {
    const { progress, signal } = this.#options;
    const state = engineState(image);
    // The same image again: what the engine packs is the same, too.
    const record = await this.#store.record(this.#key);
    if (record?.state === state && (await this.#store.find(this.#key, this.#reference))) return state;
    const name = shortenImageName(this.#imageName());
    const [reference, store] = [this.#reference, this.#store];
    await exportImage(engine, { reference, name, image, target, store, progress, signal });
    return state;
  }

  async #findInEngine(): Promise<FoundInEngine | null> {
    const engine = await this.#options.engine?.();
    if (!engine) throw new PwpError('docker-missing', 'no Docker Engine answers');
    const image = await engine.find(shortenImageName(this.#imageName()), this.#options.signal);
    return image && { engine, image };
  }

  #imageName(): ImageName {
    if ('name' in this.#source) return this.#source.name;
    throw new Error(`${this.#reference} has no name`);
  }
}

interface FoundInEngine {
  readonly engine: EngineImages;
  readonly image: EngineImage;
}

const fromEngine = 'engine ';

function engineState({ id }: EngineImage): string {
  return `${fromEngine}${id}`;
}
