import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { PwpError } from '../../bridge/lib/index.ts';

/**
 * A process that can't be mistaken for a later one with the same number. `startTime` is in clock ticks since boot, from
 * /proc/<pid>/stat. On other systems it is a date from `ps`, or nothing without `ps`; then a later process of the same
 * number is mistaken for it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
}

/** Null if no such process runs (a zombie doesn't). */
export function identifyProcess(pid: number): Promise<ProcessIdentity | null> {
  if (process.platform === 'linux') return identifyByProc(pid);
  return process.platform === 'win32' ? Promise.resolve(identifyBySignal(pid)) : identifyByPs(pid);
}

/** Errors: `unsupported` if the system does not show this process. */
export async function identifyThisProcess(): Promise<ProcessIdentity> {
  const self = await identifyProcess(process.pid);
  if (self) return self;
  throw new PwpError('unsupported', "can't read this process's entry in /proc");
}

async function identifyByProc(pid: number): Promise<ProcessIdentity | null> {
  const stat = await readProcessStat(pid);
  if (!stat || stat.field(3) === 'Z') return null;
  const startTime = stat.field(22);
  return startTime === undefined ? null : { pid, startTime };
}

interface ProcessStat {
  readonly name: string;
  /** A field by its number in proc_pid_stat(5), from the state (3) on. */
  field(number: number): string | undefined;
}

/** What /proc/<pid>/stat says; null for a process that has ended. */
export async function readProcessStat(pid: number): Promise<ProcessStat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name is in brackets and may contain anything, brackets and spaces included.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  return { name: text.slice(text.indexOf('(') + 1, end), field: (number) => fields[number - 3] };
}

/** As on macOS, which has no /proc. */
export async function identifyByPs(pid: number): Promise<ProcessIdentity | null> {
  const args = ['-o', 'stat=,lstart=', '-p', String(pid)];
  const { stdout, failed } = await execa('ps', args, { env: { LC_ALL: 'C' }, reject: false });
  const [, state = 'Z', startTime = ''] = /^(\S+)\s+(.+)$/.exec(stdout.trim()) ?? [];
  return failed || state.startsWith('Z') ? null : { pid, startTime };
}

function identifyBySignal(pid: number): ProcessIdentity | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  return { pid, startTime: '' };
}

export async function isProcessAlive(identity: ProcessIdentity): Promise<boolean> {
  return (await identifyProcess(identity.pid))?.startTime === identity.startTime;
}

/** Names the kernel's present boot: no process, mount or running sandbox outlives it. Linux only. */
export async function readBootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}
