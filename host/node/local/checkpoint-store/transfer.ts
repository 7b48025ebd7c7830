import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { explainWrite } from './errors.ts';
import { checkpointPaths, inFolder, newCheckpointId, newPackId, packPath } from './paths.ts';
import { sealed } from './sealed.ts';
import type { StoredCheckpoint, StoreFiles } from './store-files.ts';
import { work } from './work.ts';

/** Writes a checkpoint that is held raw as one file that needs no other: whole, or not at all. */
export async function writeExport(
  kept: StoredCheckpoint,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const part = `${target}.${randomBytes(4).toString('hex')}.part`;
  const { id, meta, paths } = kept;
  try {
    const job = {
      kind: 'pack',
      raw: paths.raw,
      target: part,
      scratch: `${part}.tar`,
      id,
      meta,
      base: [],
    } as const;
    await work(job, { idle: false, signal });
    await rename(part, target);
  } catch (error) {
    throw explainWrite(error, dirname(target));
  } finally {
    await rm(part, { force: true });
    await rm(`${part}.tar`, { force: true });
  }
}

/**
 * Imports a file that {@link writeExport} wrote. Returns the id: the one that it had, unless another checkpoint has it
 * here. Errors: `no-such-file`, `checkpoint-damaged`, `checkpoint-other-format`, `disk-full`.
 */
export async function readExport(files: StoreFiles, source: string, signal: AbortSignal): Promise<string> {
  if (!existsSync(source)) throw new PwpError('no-such-file', `${source} does not exist`);
  const draft = inFolder(await files.newDraftFolder());
  const file = join(draft.folder, 'import');
  try {
    await mkdir(draft.folder, { mode: 0o700 });
    const { id, meta } = await work({ kind: 'import', source, target: file }, { idle: false, signal });
    const pack = newPackId();
    await writeFile(draft.meta, sealed(meta), { mode: 0o600, flush: true });
    await writeFile(draft.used, '', { mode: 0o600 });
    await writeFile(draft.packed, sealed({ pack, needs: [] }), { mode: 0o600, flush: true });
    return await files.exclusively(signal, async () => {
      const known = await files.get(id).catch(() => null);
      if (known && sealed(known.meta) === sealed(meta)) return id;
      const free = existsSync(checkpointPaths(files.paths, id).folder) ? newCheckpointId() : id;
      await rename(file, packPath(files.paths, pack));
      await rename(draft.folder, checkpointPaths(files.paths, free).folder);
      return free;
    });
  } catch (error) {
    throw explainWrite(error, files.paths.folder);
  } finally {
    await rm(draft.folder, { recursive: true, force: true });
  }
}
