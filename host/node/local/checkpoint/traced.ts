import { PwpError } from '../../../../bridge/lib/index.ts';
import { processesOf } from '../cgroup.ts';
import { processName, statusOf } from './process-status.ts';

/**
 * Refuses a live checkpoint while a process of the sandbox is traced by another, as debuggers of machine code and strace
 * do: CRIU traces all of them itself, and the kernel allows one tracer for each. It would try for half a minute first.
 * Errors: `checkpoint-failed`.
 */
export async function requireNoTraced(id: string): Promise<void> {
  const pids = await processesOf(id);
  const statuses = new Map(await Promise.all(pids.map(async (pid) => [pid, await statusOf(pid)] as const)));
  for (const status of statuses.values()) {
    if (!status || status.tracer === 0) continue;
    const by = statuses.get(status.tracer);
    const tracer = by ? processName(by) : 'another process';
    throw new PwpError(
      'checkpoint-failed',
      `${processName(status)} is traced by ${tracer}, as by a debugger; a live checkpoint can't hold that`,
      {
        help: 'End the debug session or the program that traces, then try again, or keep the files alone: --kind disk.',
      },
    );
  }
}
