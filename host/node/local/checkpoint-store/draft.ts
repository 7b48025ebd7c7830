import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckpointInfo } from '../../checkpoint.ts';
import { explainWrite } from './errors.ts';
import type { CheckpointMeta } from './meta.ts';
import { bootId } from '../../../lib/index.ts';
import { checkpointPaths, inFolder } from './paths.ts';
import { sealed } from './sealed.ts';
import { infoOf, type StoreFiles } from './store-files.ts';
import { stampsOf, sumsName } from './sums.ts';

/** A checkpoint in the making. Disposing it removes it unless it was committed. */
export interface Draft extends AsyncDisposable {
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
export async function openDraft(files: StoreFiles, id: string, ended: () => void): Promise<Draft> {
  const target = checkpointPaths(files.paths, id);
  const paths = inFolder(await files.newDraftFolder());
  const boot = await bootId();
  let open = true;
  const end = () => {
    if (open) ended();
    open = false;
  };
  try {
    await mkdir(paths.raw, { recursive: true, mode: 0o700 });
  } catch (error) {
    end();
    throw explainWrite(error, files.paths.folder);
  }
  return {
    id,
    folder: paths.raw,
    async commit(meta) {
      try {
        await writeFile(join(paths.raw, sumsName), sealed(stampsOf(paths.raw, boot)), { mode: 0o600 });
        await writeFile(paths.meta, sealed(meta), { mode: 0o600 });
        await writeFile(paths.used, '', { mode: 0o600 });
        await rename(paths.folder, target.folder);
      } catch (error) {
        throw explainWrite(error, files.paths.folder);
      }
      const info = infoOf(await files.get(id));
      end();
      return info;
    },
    async [Symbol.asyncDispose]() {
      await rm(paths.folder, { recursive: true, force: true });
      end();
    },
  };
}
