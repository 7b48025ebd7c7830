import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBootId, readFreeBytes } from '../../lib/index.ts';
import { type CheckpointInfo, compareByAge } from '../checkpoint.ts';
import { runHostCommand } from '../container/index.ts';
import {
  buildCheckpointPaths,
  type CheckpointMeta,
  locateCheckpointFiles,
  sealValue,
} from './checkpoint-files.ts';
import { checksumsName, stampFiles } from './checksums.ts';
import { chooseToEvict, findCheckpointByKey, readCheckpointBudget } from './eviction.ts';
import { Housekeeper, type OnStoreProblem } from './housekeeper.ts';
import {
  ensureRaw,
  packCheckpoint,
  readCheckpointExport,
  removeRawForm,
  writeCheckpointExport,
} from './packing.ts';
import { explainWriteError } from './store-failures.ts';
import { addHold, removeCheckpoint, StoreFiles, sweepStore, toCheckpointInfo } from './store-files.ts';

interface CheckpointStoreOptions {
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
  readonly onProblem?: OnStoreProblem;
}

/** A checkpoint that stays, raw, until this is disposed. */
export interface HeldCheckpoint extends AsyncDisposable {
  readonly id: string;
  readonly meta: CheckpointMeta;
  /** The folder that the draft was written to. Only to be read. */
  readonly folder: string;
}

/** With less than this left on the disk, old checkpoints go before a new one is begun, in bytes. */
const roomyBytes = 2 ** 30;

/** All checkpoints of one cache folder; several processes may have it open. */
export class CheckpointStore implements AsyncDisposable {
  readonly #files: StoreFiles;
  readonly #housekeeper: Housekeeper;
  readonly #closed = new AbortController();

  private constructor(files: StoreFiles, housekeeper: Housekeeper) {
    this.#files = files;
    this.#housekeeper = housekeeper;
  }

  static async open(home: string, options: CheckpointStoreOptions = {}): Promise<CheckpointStore> {
    const files = new StoreFiles(home);
    await mkdir(files.paths.packs, { recursive: true, mode: 0o700 });
    await spreadFolders(files.paths.folder);
    const budget = {
      totalBytes: options.budgetBytes ?? readCheckpointBudget(),
      hotBytes: options.hotBytes,
      quietMs: options.quietMs ?? 2000,
    };
    return new CheckpointStore(files, new Housekeeper(files, budget, options.onProblem ?? (() => {})));
  }

  /** Begins a new checkpoint; the oldest ones go where the disk is nearly full. Errors: `disk-full`. */
  async begin(id: string): Promise<CheckpointDraft> {
    const deferred = this.#housekeeper.defer();
    await this.#makeRoom();
    return openCheckpointDraft(this.#files, id, () => deferred[Symbol.dispose]());
  }

  /** Errors: `no-such-checkpoint`, `checkpoint-damaged`, `disk-full` where it has to be unpacked first. */
  async hold(id: string, signal: AbortSignal): Promise<HeldCheckpoint> {
    const paths = buildCheckpointPaths(this.#files.paths, id);
    const deferred = this.#housekeeper.defer();
    await using stack = new AsyncDisposableStack();
    stack.defer(() => deferred[Symbol.dispose]());
    const kept = await this.#files.exclusively(signal, async () => {
      const found = await this.#files.get(id);
      stack.use(await addHold(paths));
      return found;
    });
    await ensureRaw(this.#files, kept, signal);
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
    return (await this.#files.all()).map(toCheckpointInfo).sort(compareByAge);
  }

  /** Errors: `no-such-checkpoint`, `checkpoint-damaged`. */
  async get(id: string): Promise<CheckpointInfo> {
    return toCheckpointInfo(await this.#files.get(id));
  }

  /** The one that a key finds: the youngest that has proven restorable, else the youngest. */
  async find(key: string): Promise<CheckpointInfo | null> {
    const found = findCheckpointByKey(key, await this.#files.candidates());
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
    await removeRawForm(this.#files, id, signal);
  }

  /** Writes it to one file. Errors: those of {@link hold}. */
  async export(id: string, path: string, signal: AbortSignal): Promise<void> {
    await using stack = new AsyncDisposableStack();
    stack.use(await this.hold(id, signal));
    await writeCheckpointExport(await this.#files.get(id), path, signal);
  }

  /**
   * Reads an exported file, which may come from anywhere: its image is not checked here. Errors: `checkpoint-damaged`,
   * `checkpoint-other-format`, `disk-full`.
   */
  async import(path: string, signal: AbortSignal): Promise<CheckpointInfo> {
    using stack = new DisposableStack();
    stack.use(this.#housekeeper.defer());
    return await this.get(await readCheckpointExport(this.#files, path, signal));
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
    while ((await readFreeBytes(folder)) < roomyBytes) {
      const one = chooseToEvict(await this.#files.candidates());
      if (!one) return;
      await removeCheckpoint(this.#files, one.id, this.#closed.signal).catch((error: unknown) => {
        throw explainWriteError(error, folder);
      });
    }
  }
}

/** A checkpoint in the making. Disposing it removes it unless it was committed. */
interface CheckpointDraft extends AsyncDisposable {
  readonly id: string;
  /** Put `images/`, `files/` and everything else that belongs to it in here. */
  readonly folder: string;
  /**
   * From here on it exists, whole; nothing in its folder may change any more. Takes milliseconds.
   * Errors: `disk-full`.
   */
  commit(meta: CheckpointMeta): Promise<CheckpointInfo>;
}

/** @param ended called once, when the draft has become a checkpoint or nothing */
async function openCheckpointDraft(
  files: StoreFiles,
  id: string,
  ended: () => void,
): Promise<CheckpointDraft> {
  const target = buildCheckpointPaths(files.paths, id);
  const paths = locateCheckpointFiles(await files.newDraftFolder());
  const boot = await readBootId();
  let open = true;
  const end = () => {
    if (open) ended();
    open = false;
  };
  try {
    await mkdir(paths.raw, { recursive: true, mode: 0o700 });
  } catch (error) {
    end();
    throw explainWriteError(error, files.paths.folder);
  }
  return {
    id,
    folder: paths.raw,
    async commit(meta) {
      try {
        await writeFile(join(paths.raw, checksumsName), sealValue(stampFiles(paths.raw, boot)), {
          mode: 0o600,
        });
        await writeFile(paths.meta, sealValue(meta), { mode: 0o600 });
        await writeFile(paths.used, '', { mode: 0o600 });
        await rename(paths.folder, target.folder);
      } catch (error) {
        throw explainWriteError(error, files.paths.folder);
      }
      const info = toCheckpointInfo(await files.get(id));
      end();
      return info;
    },
    async [Symbol.asyncDispose]() {
      await rm(paths.folder, { recursive: true, force: true });
      end();
    },
  };
}

/**
 * Asks the file system to put each new folder in here into a region of its own. A dump creates 600 files while the
 * sandbox is frozen, and ext4 without a journal skips every file number that was freed in the region in the last
 * minutes: where checkpoints come and go, that took half a second. Only ext file systems support it.
 */
async function spreadFolders(folder: string): Promise<void> {
  await runHostCommand('chattr', ['+T', folder]).catch(() => undefined);
}
