import { readFile } from 'node:fs/promises';
import { plainLine } from '../../../../bridge/text/index.ts';
import type { ProcessUse } from './lasting.ts';

/** Milliseconds of one tick of the kernel's counters of processor time: it is the same on all machines that run VS Code. */
const tickMs = 10;
/** What V8 calls the main thread of Node's processes. */
const nodeName = 'MainThread';

/**
 * The use of processes so far. Processes that end meanwhile are left out.
 * @param pids as this process sees them
 */
export async function readUse(pids: readonly number[]): Promise<ProcessUse[]> {
  const all = await Promise.all(pids.map((pid) => useOf(pid).catch(() => undefined)));
  return all.filter((use) => use !== undefined);
}

async function useOf(pid: number): Promise<ProcessUse> {
  const [stat, schedule] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => ''),
  ]);
  // The name is what the program likes, brackets and spaces among it.
  const end = stat.lastIndexOf(')');
  const name = stat.slice(stat.indexOf('(') + 1, end);
  // From the state on: fields 3 and later of proc_pid_stat(5).
  const fields = stat.slice(end + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid,
    parent: field(4),
    group: field(5),
    session: field(6),
    name: name === nodeName ? 'node' : plainLine(name),
    // With that of children that have ended: a loop in a shell starts one after the other.
    cpuMs: (field(14) + field(15) + field(16) + field(17)) * tickMs,
    waitMs: Number(schedule.split(' ')[1] ?? 0) / 1e6,
  };
}
