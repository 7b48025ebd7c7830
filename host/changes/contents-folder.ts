import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isAlive } from '../lib/index.ts';

const prefix = 'pwp-changes-';
/** Where a start is a number, as on Linux; elsewhere none is taken for one of a process that was killed. */
const owned = /^pwp-changes-(\d+)-(\d+)-/;

/**
 * Works with a folder for the content of files, which is removed afterwards; those of processes that were killed are
 * removed first.
 */
export async function withContentsFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  await removeLeft();
  const start = (await identify(process.pid))?.startTime.replaceAll(/\W+/g, '_') ?? '';
  const folder = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-${start}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeft(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, startTime] = owned.exec(name) ?? [];
    if (pid === undefined || startTime === undefined) continue;
    if (await isAlive({ pid: Number(pid), startTime })) continue;
    // Another user's can't be removed: they will.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
