import { readFile, readdir } from 'node:fs/promises';
import { deadline, poll } from '../../../../bridge/lib/index.ts';
import type { SandboxPaths } from '../paths.ts';

/** A dump or a restore is over in seconds, even on a busy machine; in milliseconds, as all here. */
const patienceMs = 60_000;
const againMs = 20;

/**
 * Waits for the end of a dump or a restore that has outlived the process that began it: CRIU can't be ended midway, and
 * at its end it freezes what it found frozen, whatever somebody else did meanwhile.
 */
export async function awaitOrphanedCriu(paths: SandboxPaths): Promise<void> {
  using limit = deadline('the end of CRIU', patienceMs);
  const probe = async () => {
    const pids = await working(paths.criuWork);
    if (pids.length === 0) return { done: true, value: undefined } as const;
    return { done: false, saw: `processes ${pids.join(', ')}` } as const;
  };
  await poll('the end of a dump or a restore', probe, { intervalMs: againMs, signal: limit.signal });
}

/** Processes that were started with this work folder. */
async function working(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const checked = pids.map(async (pid) => {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return words[words.indexOf('--work-path') + 1] === folder ? [pid] : [];
  });
  return (await Promise.all(checked)).flat();
}
