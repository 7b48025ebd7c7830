import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { byAge, type CheckpointInfo } from '../../checkpoint.ts';
import { budgetFrom, freeBytes } from './budget.ts';
import { openDraft, type Draft } from './draft.ts';
import { explainWrite } from './errors.ts';
import { foundBy, nextToEvict } from './evict.ts';
import { addHold } from './holds.ts';
import { Housekeeper, type OnProblem } from './housekeeper.ts';
import type { CheckpointMeta } from './meta.ts';
import { packCheckpoint, cool } from './packing.ts';
import { checkpointPaths } from './paths.ts';
import { spreadFolders } from './spread.ts';
import { removeCheckpoint, sweepStore } from './remove.ts';
import { infoOf, StoreFiles } from './store-files.ts';
import { readExport, writeExport } from './transfer.ts';
import { makeRaw } from './unpacking.ts';

export interface StoreOptions {
  /** All checkpoints together, in bytes. Default: `PWP_CHECKPOINT_BUDGET`, else half of what the disk has free. */
  readonly budgetBytes?: number;
  /** Those of them that are kept raw, in bytes. Default: a quarter of all, 8 GiB at most. */
  readonly hotBytes?: number;
  /**
   * Background work begins when no checkpoint was taken or used for this long, at the latest after eight times that; in
   * milliseconds. Default 2000.
   */
  readonly quietMs?: number;
  /** Called with a failure of background work, for which no caller waits, and with the work that failed. */
  readonly onProblem?: OnProblem;
}

/** A checkpoint that stays, raw, until this is disposed. */
export interface HeldCheckpoint extends AsyncDisposable {
  readonly id: string;
  readonly meta: CheckpointMeta;
  /** The folder that the draft was written to. Only to be read. */
  readonly folder: string;
}

/** With less than this left on the disk, old checkpoints go before a new one is begun, in bytes. */
const roomBytes = 2 ** 30;

/** All checkpoints of one cache folder; several processes may have it open. */
export class CheckpointStore implements AsyncDisposable {
  readonly #files: StoreFiles;
  readonly #housekeeper: Housekeeper;
  readonly #closed = new AbortController();

  private constructor(files: StoreFiles, housekeeper: Housekeeper) {
    this.#files = files;
    this.#housekeeper = housekeeper;
  }

  static async open(home: string, options: StoreOptions = {}): Promise<CheckpointStore> {
    const files = new StoreFiles(home);
    await mkdir(files.paths.packs, { recursive: true, mode: 0o700 });
    await spreadFolders(files.paths.folder);
    const budget = {
      totalBytes: options.budgetBytes ?? budgetFrom(),
      hotBytes: options.hotBytes,
      quietMs: options.quietMs ?? 2000,
    };
    return new CheckpointStore(files, new Housekeeper(files, budget, options.onProblem ?? (() => {})));
  }

  /** Begins a new checkpoint; the oldest ones go where the disk is nearly full. Errors: `disk-full`. */
  async begin(id: string): Promise<Draft> {
    const deferred = this.#housekeeper.defer();
    await this.#makeRoom();
    return openDraft(this.#files, id, () => deferred[Symbol.dispose]());
  }

  /** Errors: `no-such-checkpoint`, `checkpoint-damaged`, `disk-full` where it has to be unpacked first. */
  async hold(id: string, signal: AbortSignal): Promise<HeldCheckpoint> {
    const paths = checkpointPaths(this.#files.paths, id);
    const deferred = this.#housekeeper.defer();
    await using stack = new AsyncDisposableStack();
    stack.defer(() => deferred[Symbol.dispose]());
    const kept = await this.#files.exclusively(signal, async () => {
      const found = await this.#files.get(id);
      stack.use(await addHold(paths));
      return found;
    });
    await makeRaw(this.#files, kept, signal);
    await utimes(paths.used, new Date(), new Date()).catch(() => undefined);
    const owned = stack.move();
    return {
      id,
      meta: kept.meta,
      folder: paths.raw,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  }

  /** The oldest first. Those whose description can't be read are left out. */
  async list(): Promise<CheckpointInfo[]> {
    return (await this.#files.all()).map(infoOf).sort(byAge);
  }

  /** Errors: `no-such-checkpoint`, `checkpoint-damaged`. */
  async get(id: string): Promise<CheckpointInfo> {
    return infoOf(await this.#files.get(id));
  }

  /** The one that a key finds: the youngest that has proven restorable, else the youngest. */
  async find(key: string): Promise<CheckpointInfo | null> {
    const found = foundBy(key, await this.#files.candidates());
    return found && this.get(found.id);
  }

  /** It was restored and worked: from now on it may take the place of an older one with its key. */
  async prove(id: string): Promise<void> {
    const { paths } = await this.#files.get(id);
    await writeFile(paths.proven, '', { mode: 0o600 });
    this.#housekeeper.ask();
  }

  /** Errors: `no-such-checkpoint`, `checkpoint-in-use`. */
  async delete(id: string): Promise<void> {
    await removeCheckpoint(this.#files, id, this.#closed.signal);
  }

  /** Packs it now and keeps it packed only. Errors: `no-such-checkpoint`, `checkpoint-damaged`, `disk-full`. */
  async pack(id: string, signal: AbortSignal): Promise<void> {
    await packCheckpoint(this.#files, id, { idle: false, signal });
    await cool(this.#files, id, signal);
  }

  /** Writes it to one file. Errors: those of {@link hold}. */
  async export(id: string, path: string, signal: AbortSignal): Promise<void> {
    await using stack = new AsyncDisposableStack();
    stack.use(await this.hold(id, signal));
    await writeExport(await this.#files.get(id), path, signal);
  }

  /**
   * Reads an exported file, which may come from anywhere: its image is not checked here. Errors: `checkpoint-damaged`,
   * `checkpoint-other-format`, `disk-full`.
   */
  async import(path: string, signal: AbortSignal): Promise<CheckpointInfo> {
    using stack = new DisposableStack();
    stack.use(this.#housekeeper.defer());
    return await this.get(await readExport(this.#files, path, signal));
  }

  /** Removes the leftovers of dead processes. Returns the ids of checkpoints that turned out not to be whole. */
  async sweep(): Promise<string[]> {
    const removed = await sweepStore(this.#files, this.#closed.signal);
    this.#housekeeper.ask();
    return removed;
  }

  /** Resolves when the background has nothing left to do. */
  idle(): Promise<void> {
    return this.#housekeeper.idle();
  }

  /** Stops the work in the background. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#housekeeper.stop();
    this.#closed.abort();
  }

  async #makeRoom(): Promise<void> {
    const { folder } = this.#files.paths;
    while ((await freeBytes(folder)) < roomBytes) {
      const one = nextToEvict(await this.#files.candidates());
      if (!one) return;
      await removeCheckpoint(this.#files, one.id, this.#closed.signal).catch((error: unknown) => {
        throw explainWrite(error, folder);
      });
    }
  }
}
