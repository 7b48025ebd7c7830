import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PwpError } from '../../../../../bridge/lib/index.ts';
import { checkpointInfo } from '../../../../../bridge/protocol/index.ts';
import type { CheckpointInfo } from '../../../checkpoint.ts';

export type Meta = Omit<CheckpointInfo, 'bytes' | 'state'>;

export interface Draft extends AsyncDisposable {
  readonly folder: string;
  commit(meta: Meta): Promise<CheckpointInfo>;
}

export interface Held extends AsyncDisposable {
  readonly folder: string;
  readonly meta: CheckpointInfo;
}

export class Store {
  readonly #folder: string;
  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(home: string): Promise<Store> {
    const folder = join(home, 'checkpoints');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new Store(folder);
  }

  async begin(id: string): Promise<Draft> {
    const folder = join(this.#folder, id);
    await mkdir(folder, { mode: 0o700 });
    let committed = false;
    return {
      folder,
      commit: async (meta) => {
        const info: CheckpointInfo = { ...meta, bytes: 0, state: 'hot' };
        await writeFile(join(folder, 'meta.json'), JSON.stringify(info));
        committed = true;
        return info;
      },
      [Symbol.asyncDispose]: async () => {
        if (!committed) await rm(folder, { recursive: true, force: true });
      },
    };
  }

  async hold(id: string, _signal?: AbortSignal): Promise<Held> {
    const folder = join(this.#folder, id);
    const text = await readFile(join(folder, 'meta.json'), 'utf8').catch(() => {
      throw new PwpError('no-such-checkpoint', `there is no checkpoint ${JSON.stringify(id)}`);
    });
    return {
      folder,
      meta: checkpointInfo.parse(JSON.parse(text)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  async list(): Promise<CheckpointInfo[]> {
    const ids = await readdir(this.#folder);
    const found = await Promise.allSettled(ids.map((id) => this.hold(id)));
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value.meta : []));
  }

  async delete(id: string): Promise<void> {
    await this.hold(id);
    await rm(join(this.#folder, id), { recursive: true });
  }

  export(id: string, path: string, _signal?: AbortSignal): Promise<void> {
    return Promise.reject(new PwpError('unsupported', `can't export ${id} to ${path}`));
  }

  import(path: string, _signal?: AbortSignal): Promise<CheckpointInfo> {
    return Promise.reject(new PwpError('unsupported', `can't import ${path}`));
  }

  sweep(): Promise<void> {
    return Promise.resolve();
  }
}
