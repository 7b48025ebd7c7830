import { readFile, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { acquireLock, identify, isAlive } from '../../../lib/index.ts';
import type { SandboxPaths } from '../paths.ts';

const schema = z.object({
  what: z.enum(['checkpoint', 'restore']),
  owner: z.object({ pid: z.int().positive(), startTime: z.string() }),
});

/**
 * The exclusive right to a sandbox, held by one process at a time. A file exists for as long: if it is still there when
 * its owner is gone, the work was interrupted.
 */
export async function claim(
  paths: SandboxPaths,
  what: 'checkpoint' | 'restore',
  signal: AbortSignal,
): Promise<AsyncDisposable> {
  const lock = await acquireLock(paths.turnLock, { signal });
  await writeFile(paths.turn, JSON.stringify({ what, owner: await identify(process.pid) }), { mode: 0o600 });
  return {
    [Symbol.asyncDispose]: async () => {
      await rm(paths.turn, { force: true });
      await lock[Symbol.asyncDispose]();
    },
  };
}

/** The work that a dead process has left midway; null if there was no such work. */
export async function isClaimedByDead(paths: SandboxPaths): Promise<'checkpoint' | 'restore' | null> {
  const text = await readFile(paths.turn, 'utf8').catch(() => null);
  if (text === null) return null;
  const { what, owner } = schema.parse(JSON.parse(text));
  return (await isAlive(owner)) ? null : what;
}
