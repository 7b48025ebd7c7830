import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { deadline, raceSignal } from './deadline.ts';
import { PwpError } from './errors.ts';

/** How a child process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running child process with one owner. Leads its own process group, so that stopping it stops its children. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly process: ChildProcess;
  /** Resolves at the real exit; never rejects. */
  readonly stopped: Promise<Exit>;
  /** SIGTERM, then SIGKILL to the whole group after `graceMs` (default 2000). Idempotent; resolves at the real exit. */
  stop(graceMs?: number): Promise<Exit>;
}

export interface ChildOptions {
  readonly cwd?: string;
  /** The whole environment: only variables that are passed here are inherited. */
  readonly env: NodeJS.ProcessEnv;
  /** Standard output and error are appended to this file; without it they are discarded. */
  readonly log?: string;
  /** Standard input and output are pipes of the process instead; standard error stays with the log. */
  readonly piped?: boolean;
  /** Standard error is a pipe of the process, too. */
  readonly pipedErrors?: boolean;
  /** Number of pipes beside the standard streams; the first one is the program's descriptor 3. */
  readonly pipes?: number;
}

/** Starts a long-running program. Rejects with a `spawn-failed` error if it can't be started at all. */
export async function startChild(
  file: string,
  args: readonly string[],
  options: ChildOptions,
): Promise<Child> {
  const log = options.log === undefined ? undefined : openSync(options.log, 'a', 0o600);
  const output = log ?? 'ignore';
  const streams: ('pipe' | 'ignore' | number)[] = options.piped ? ['pipe', 'pipe'] : ['ignore', output];
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: options.env,
    stdio: [
      ...streams,
      options.pipedErrors ? 'pipe' : output,
      ...Array<'pipe'>(options.pipes ?? 0).fill('pipe'),
    ],
    detached: true,
  });
  if (log !== undefined) closeSync(log);
  const stopped = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  try {
    await once(child, 'spawn');
  } catch (cause) {
    throw new PwpError('spawn-failed', `can't start ${file}`, {
      cause,
      help: `Check that ${file} is installed.`,
    });
  }
  const pid = child.pid;
  if (pid === undefined) throw new PwpError('spawn-failed', `${file} started without a process id`);
  let stopping: Promise<Exit> | undefined;
  const stop = (graceMs = 2000) => (stopping ??= stopGroup(pid, stopped, graceMs));
  return { pid, process: child, stopped, stop, [Symbol.asyncDispose]: async () => void (await stop()) };
}

async function stopGroup(pid: number, stopped: Promise<Exit>, graceMs: number): Promise<Exit> {
  signalGroup(pid, 'SIGTERM');
  using grace = deadline(`exit of process ${pid}`, graceMs);
  const asked = await raceSignal(stopped, grace.signal).catch(() => undefined);
  // Also after a normal exit: a child of the child may have stayed in the group.
  signalGroup(pid, 'SIGKILL');
  return asked ?? (await stopped);
}

/** Sends a signal to a process group, by its leader; a no-op if no process of it is left. */
export function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
