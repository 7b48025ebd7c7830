import { readFile, readdir } from 'node:fs/promises';
import { deadline, poll } from '../../../../bridge/lib/index.ts';
import { runcRoot, type SandboxPaths } from '../paths.ts';

/** A dump or a restore is over in seconds, even on a busy machine; in milliseconds, as all here. */
const patienceMs = 60_000;
const againMs = 20;

/**
 * Waits for the end of runc and CRIU that have outlived the process that started them on a sandbox: a pause that is
 * late would freeze it for good, CRIU can't be ended midway, and at its end it freezes what it found frozen, regardless
 * of what another process did meanwhile.
 */
export async function awaitOrphans(id: string, paths: SandboxPaths): Promise<void> {
  using limit = deadline('the end of runc and CRIU', patienceMs);
  const probe = async () => {
    const pids = await working(id, paths.criuWork);
    if (pids.length === 0) return { done: true, value: undefined } as const;
    return { done: false, saw: `processes ${pids.join(', ')}` } as const;
  };
  await poll('the end of a dump or a restore', probe, { intervalMs: againMs, signal: limit.signal });
}

/** Processes of runc on this sandbox, and of CRIU with its work folder. */
async function working(id: string, folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const checked = pids.map(async (pid) => {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    const isRunc = words[words.indexOf('--root') + 1] === runcRoot && words.includes(id);
    return isRunc || words[words.indexOf('--work-path') + 1] === folder ? [pid] : [];
  });
  return (await Promise.all(checked)).flat();
}
