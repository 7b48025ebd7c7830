import { readdir, readFile } from 'node:fs/promises';

/**
 * Sends a signal to processes of a sandbox as root of this machine: the agent can't touch the desktop's.
 * Returns how many there were.
 * @param pattern of the command line, its words joined by spaces
 */
export async function killInside(
  id: string,
  pattern: RegExp,
  signal: NodeJS.Signals = 'SIGKILL',
): Promise<number> {
  let killed = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [groups, line] = await Promise.all(
      ['cgroup', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    if (!groups?.includes(`/${id}`) || !pattern.test(line?.split('\0').join(' ').trim() ?? '')) continue;
    if (sent(Number(pid), signal)) killed += 1;
  }
  return killed;
}

/** False if it has just ended: the death of one process may end others. */
function sent(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
