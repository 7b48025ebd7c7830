import { readFile } from 'node:fs/promises';
import { deadline, pause } from '../../../../bridge/lib/index.ts';
import { processesOf } from '../cgroup.ts';
import { pauseContainer, resumeContainer } from '../runc.ts';

/** A process that is dumped while it starts may be impossible to restore: seconds until it is whole. */
const startingSeconds = 0.25;
/** Pause between two looks, and the longest wait for a sandbox that starts processes all the time; milliseconds. */
const againMs = 60;
const patienceMs = 5000;
/** Ticks per second of the kernel's clock in /proc, the same on every machine. */
const ticksPerSecond = 100;

/**
 * Stops a container at a moment when no process in it is just starting; after 5 s at any moment. Errors: those of
 * freezing, or the signal's reason; then all processes are resumed.
 */
export async function pauseBetweenStarts(id: string, signal: AbortSignal): Promise<void> {
  using limit = deadline('the start of processes', patienceMs, signal);
  for (;;) {
    if (!limit.signal.aborted && (await hasStartingProcess(id))) {
      await pause(againMs, limit.signal).catch(() => undefined);
      signal.throwIfAborted();
      continue;
    }
    await pauseContainer(id);
    if (limit.signal.aborted || !(await hasStartingProcess(id))) return;
    await resumeContainer(id);
  }
}

async function hasStartingProcess(id: string): Promise<boolean> {
  const uptime = Number((await readFile('/proc/uptime', 'utf8')).split(' ')[0]);
  const ages = await Promise.all((await processesOf(id)).map((pid) => ageOf(pid, uptime)));
  return ages.some((age) => age < startingSeconds);
}

/** In seconds; infinite for a process that has ended. */
async function ageOf(pid: number, uptime: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = Number(fields[19]);
  if (!start || fields[0] === 'Z') return Number.POSITIVE_INFINITY;
  return uptime - start / ticksPerSecond;
}
