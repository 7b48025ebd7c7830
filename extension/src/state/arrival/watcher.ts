import { readFile, readdir } from 'node:fs/promises';
import { deadline, poll } from '../../../../bridge/lib/index.ts';

/** Maximum time for VS Code to restart its watcher under load, in milliseconds. */
const restartMs = 30_000;

/**
 * Makes VS Code watch all folders of the workspace. Its watcher learns the name of a new folder, but not the content that
 * the folder has by then, so it would never watch the folders in it. VS Code restarts a watcher that has ended, and the
 * new one reads them all. False if no watcher runs.
 */
export async function watchAnew(parent: AbortSignal): Promise<boolean> {
  const former = await findWatcher();
  if (former === undefined) return false;
  process.kill(former, 'SIGTERM');
  using limit = deadline('restart of the watcher of files', restartMs, parent);
  const probe = async () => {
    const now = await findWatcher();
    return now === undefined || now === former
      ? ({ done: false, saw: `process ${now ?? 'none'}` } as const)
      : ({ done: true, value: true } as const);
  };
  return await poll('the watcher of files', probe, { intervalMs: 20, signal: limit.signal });
}

/** The process in which VS Code's server watches files: its child, as this extension host is. */
async function findWatcher(): Promise<number | undefined> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(ids.map(async (id) => ((await isWatcher(id)) ? id : undefined)));
  return found.find((id) => id !== undefined);
}

async function isWatcher(id: number): Promise<boolean> {
  try {
    const words = (await readFile(`/proc/${id}/cmdline`, 'utf8')).split('\0');
    if (!words.includes('--type=fileWatcher')) return false;
    const status = await readFile(`/proc/${id}/status`, 'utf8');
    return status.includes(`\nPPid:\t${process.ppid}\n`) && !/^State:\tZ/m.test(status);
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return false;
  }
}
