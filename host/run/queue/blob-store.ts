import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PwpError } from '../../../bridge/lib/index.ts';
import { ignoreMissing, pathExists } from '../../lib/index.ts';

/** What studies and their workers share: files by their names, each whole or not there at all. */
export interface BlobStore {
  has(name: string): Promise<boolean>;
  /** Puts a file into the store; one of the same name is replaced. */
  put(name: string, file: string): Promise<void>;
  /** Errors: `no-data` if it is not there. */
  get(name: string, file: string): Promise<void>;
  /** Removes all whose names begin so. */
  removeAll(prefix: string): Promise<void>;
}

/** A folder that all machines of a study see, such as a network disk. */
export class BlobFolder implements BlobStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(name: string): Promise<boolean> {
    return pathExists(this.#place(name));
  }

  async put(name: string, file: string): Promise<void> {
    const place = this.#place(name);
    await mkdir(dirname(place), { recursive: true });
    const draft = `${place}.${randomUUID()}.tmp`;
    try {
      await copyFile(file, draft, constants.COPYFILE_FICLONE);
      await rename(draft, place);
    } finally {
      await rm(draft, { force: true });
    }
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

  async removeAll(prefix: string): Promise<void> {
    const folder = dirname(this.#place(`${prefix}x`));
    const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
    const start = prefix.slice(prefix.lastIndexOf('/') + 1);
    for (const name of names)
      if (name.startsWith(start)) await rm(join(folder, name), { recursive: true, force: true });
  }

  #place(name: string): string {
    if (!/^[\w][\w.~/-]*$/.test(name) || name.split('/').some((part) => part === '' || part === '..'))
      throw new PwpError('internal', `${JSON.stringify(name)} can't be a name in a store`);
    return join(this.#folder, name);
  }
}
