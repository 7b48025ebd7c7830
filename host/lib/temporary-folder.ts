import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isAlive } from './identity.ts';

/**
 * Names with the start of a process as a number, as on Linux; elsewhere no folder counts as one of a killed process.
 */
const owned = /^pwp-[a-z]+-(\d+)-(\d+)-/;

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * A folder for temporary files, which is removed when it is disposed of. Those of processes that were killed are removed
 * first.
 * @param purpose a word in small letters, for its name
 */
export async function openTemporaryFolder(purpose: string): Promise<TemporaryFolder> {
  await removeLeft();
  const start = (await identify(process.pid))?.startTime.replaceAll(/\W+/g, '_') ?? '';
  const path = await mkdtemp(join(tmpdir(), `pwp-${purpose}-${process.pid}-${start}-`));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

async function removeLeft(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, startTime] = owned.exec(name) ?? [];
    if (pid === undefined || startTime === undefined) continue;
    if (await isAlive({ pid: Number(pid), startTime })) continue;
    // Another user's can't be removed: that user will do it.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
