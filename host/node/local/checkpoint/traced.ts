import { readFile } from 'node:fs/promises';
import { PwpError } from '../../../../bridge/lib/index.ts';
import { processesOf } from '../cgroup.ts';

/** What the kernel says of a process. */
interface Status {
  readonly name: string;
  /** Its number inside the sandbox. */
  readonly inside: string;
  /** Process outside that traces it; 0 for none. */
  readonly tracer: number;
}

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
    const tracer = by ? `${by.name} (process ${by.inside})` : 'another process';
    throw new PwpError(
      'checkpoint-failed',
      `${status.name} (process ${status.inside}) is traced by ${tracer}, as by a debugger; a live checkpoint can't hold that`,
      {
        help: 'End the debug session or the program that traces, then try again, or keep the files alone: --kind disk.',
      },
    );
  }
}

/** Undefined for one that has ended meanwhile. */
async function statusOf(pid: number): Promise<Status | undefined> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(text)?.[1];
  const name = field('Name');
  if (name === undefined) return undefined;
  const inside = field('NSpid')?.split(/\s+/).at(-1) ?? String(pid);
  return { name, inside, tracer: Number(field('TracerPid') ?? 0) };
}
