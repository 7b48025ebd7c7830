import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Cancellable, describeError, PwpError, type PwpErrorCode } from '../../../bridge/lib/index.ts';
import { ignoreMissing, pathExists } from '../../lib/index.ts';

/**
 * What studies and their workers share: files by their names, each whole or not there at all. Errors of all methods:
 * `no-such-store`, `store-denied`, `store-failed`, and `store-unreachable` for a server that was waited for in vain.
 */
export interface BlobStore {
  /** Rejects unless files can be put into it now. */
  check(options?: CheckOptions): Promise<void>;
  has(name: string, options?: Cancellable): Promise<boolean>;
  /** Puts a file into the store; one of the same name is replaced. Errors: `disk-full`, `too-large`. */
  put(name: string, file: string, options?: Cancellable): Promise<void>;
  /** Errors: `no-data` if it is not there, or damaged. */
  get(name: string, file: string, options?: Cancellable): Promise<void>;
  /** All files whose names begin so; what comes or goes meanwhile may be among them. */
  list(prefix: string, options?: Cancellable): AsyncIterable<StoredBlob>;
  /** Also if it is not there. */
  remove(name: string, options?: Cancellable): Promise<void>;
}

export interface CheckOptions extends Cancellable {
  /** Waits for its server as other requests do. Default: a few seconds, since the address may be wrong. */
  readonly patient?: boolean;
}

export interface StoredBlob {
  readonly name: string;
  /** When it was put, in milliseconds since 1970, by the store's clock. */
  readonly putAt: number;
}

/** The file that a check puts. */
export const checkedName = 'last-check';

const storeFailures: readonly PwpErrorCode[] = [
  ...(['disk-full', 'no-such-store', 'store-denied', 'store-failed', 'store-unreachable'] as const),
];

/** Whether the next request to a store would fail, too. */
export function isStoreFailure(error: unknown): error is PwpError {
  return error instanceof PwpError && storeFailures.includes(error.code);
}

export function isBlobName(text: string): boolean {
  return /^\w[\w.~/-]*$/.test(text) && text.split('/').every((part) => !/^\.{0,2}$/.test(part));
}

/** Errors: `internal` for a name that is not one. */
export function assertBlobName(name: string): void {
  if (!isBlobName(name)) throw new PwpError('internal', `${JSON.stringify(name)} can't be a name in a store`);
}

/** A folder that all machines of a study see, such as a network disk. */
export class BlobFolder implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async check(): Promise<void> {
    await this.#write(checkedName, (draft) => writeFile(draft, ''));
  }

  has(name: string): Promise<boolean> {
    return pathExists(this.#place(name));
  }

  async put(name: string, file: string): Promise<void> {
    await this.#write(name, (draft) => copyFile(file, draft, constants.COPYFILE_FICLONE));
  }

  async get(name: string, file: string): Promise<void> {
    try {
      await copyFile(this.#place(name), file, constants.COPYFILE_FICLONE);
    } catch (cause) {
      throw new PwpError('no-data', `the store ${this.#folder} does not have ${name}`, {
        cause,
        help: 'Give workers and studies the same --store.',
      });
    }
  }

  async *list(prefix: string): AsyncGenerator<StoredBlob> {
    const start = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    const names = (await readdir(join(this.#folder, start)).catch(ignoreMissing)) ?? [];
    for (const name of names.map((one) => start + one)) {
      if (!name.startsWith(prefix)) continue;
      const info = await stat(join(this.#folder, name)).catch(ignoreMissing);
      if (info?.isFile()) yield { name, putAt: info.mtimeMs };
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.#place(name), { force: true });
  }

  async #write(name: string, write: (draft: string) => Promise<void>): Promise<void> {
    const place = this.#place(name);
    const draft = `${place}.${randomUUID()}.tmp`;
    try {
      await mkdir(dirname(place), { recursive: true });
      await write(draft);
      await rename(draft, place);
    } catch (cause) {
      throw makeFolderError(this.#folder, cause);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  #place(name: string): string {
    assertBlobName(name);
    return join(this.#folder, name);
  }
}

/** By the kernel's error; others are not the store's. */
const folderErrors: Readonly<Record<string, PwpErrorCode>> = {
  ...{ EACCES: 'store-denied', EPERM: 'store-denied', EROFS: 'store-denied' },
  ...{ ENOSPC: 'disk-full', EDQUOT: 'disk-full', ENOTDIR: 'no-such-store', EEXIST: 'no-such-store' },
  ...{ EIO: 'store-unreachable', ESTALE: 'store-unreachable', ETIMEDOUT: 'store-unreachable' },
};

function makeFolderError(folder: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? folderErrors[String(cause.code)] : undefined;
  if (code === undefined) return cause;
  return new PwpError(code, `the store ${folder} can't be written to: ${describeError(cause)}`, {
    cause,
    help: 'Correct --store, or the rights to that folder. pwp queue clean removes old files.',
  });
}
