import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { deadline, describeError, pause, PwpError, SerialQueue } from '../../../bridge/lib/index.ts';
import { thawProcesses } from './cgroup.ts';
import { type CommandOptions, runHostCommand, takeLastLines } from './command.ts';
import { runcRoot } from './sandbox-record.ts';

const containerSchema = z.object({
  id: z.string(),
  pid: z.int().describe("of the container's first process, on this machine; 0 when it has ended"),
  status: z.enum(['creating', 'created', 'running', 'pausing', 'paused', 'stopped']),
});
export type RuncContainer = z.output<typeof containerSchema>;

/** Errors: `runc-missing`. */
export async function requireRunc(signal?: AbortSignal): Promise<void> {
  try {
    await runHostCommand('runc', ['--version'], { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new PwpError('runc-missing', 'runc, which runs the sandboxes, is not there', {
      help: 'Install it: apt-get install runc',
      cause,
    });
  }
}

/** Longest time for runc to start a container, in milliseconds: it takes some hundred, and a busy machine seconds. */
const startMs = 60_000;

/** Starts a container from its bundle; its first process runs when this resolves. */
export async function startRuncContainer(
  id: string,
  bundle: string,
  log: string,
  signal: AbortSignal,
): Promise<void> {
  // An image can keep runc waiting, by a pipe in the place of /etc/passwd.
  using limit = deadline(`start of sandbox ${id}`, startMs, signal);
  try {
    // Quiet, because a detached container keeps runc's own standard streams, and a checkpoint can't hold a pipe to us.
    const args = ['--log', log, 'run', '--detach', '--bundle', bundle, id];
    await callRunc(args, { signal: limit.signal, quiet: true });
  } catch (cause) {
    signal.throwIfAborted();
    const said = takeLastLines(await readFile(log, 'utf8').catch(() => ''), 5);
    throw new PwpError('sandbox-failed', `runc can't start sandbox ${id}: ${said || describeError(cause)}`, {
      cause,
    });
  }
}

/** runc fails to list where a container is removed meanwhile, by anyone on this machine. */
const mostListTries = 20;

export async function listContainers(): Promise<RuncContainer[]> {
  for (let left = mostListTries; ; left -= 1) {
    try {
      const text = await callRunc(['list', '--format', 'json']);
      return z.array(containerSchema).nullable().parse(JSON.parse(text)) ?? [];
    } catch (error) {
      if (left <= 1 || !describeError(error).includes('no such file')) throw error;
    }
  }
}

/** Null if runc has no such container. */
export async function readContainerState(id: string): Promise<RuncContainer | null> {
  try {
    return containerSchema.parse(JSON.parse(await callRunc(['state', id])));
  } catch (error) {
    if (/does not exist|no such file/.test(describeError(error))) return null;
    throw error;
  }
}

/** Time to freeze a container, and pause between two tries, in milliseconds. */
const freezeMs = 20_000;
const freezeAgainMs = 50;

/** Freezes every process of a container. Errors: `timeout` if it can't be done; then all run again. */
export async function pauseContainer(id: string): Promise<void> {
  using limit = deadline(`freezing of sandbox ${id}`, freezeMs);
  for (;;) {
    try {
      await callRunc(['pause', id]);
      return;
    } catch (error) {
      if (!describeError(error).includes('unable to freeze')) throw error;
    }
    // The kernel gives up where a task is just forking, the sooner the busier the machine; thawed tasks get past that.
    await resumeContainer(id);
    await pause(freezeAgainMs, limit.signal);
  }
}

/**
 * Resumes a paused container; a no-op for one that isn't paused or isn't there. Not by runc, which only asks the kernel
 * too and takes twenty milliseconds, during which a sandbox would be frozen.
 */
export function resumeContainer(id: string): Promise<void> {
  return thawProcesses(id);
}

/** Where CRIU is, and the folders of one checkpoint of processes. */
interface CriuFolders {
  /** Folder with the program `criu`. */
  readonly criuFolder: string;
  readonly images: string;
  /** For logs; not part of the checkpoint. */
  readonly work: string;
}

/**
 * Writes all processes of a paused container into files; they stay paused. Not to be given up midway: CRIU's own code
 * is in the processes meanwhile. Errors: `command-failed`, the reason is in `dump.log`.
 */
export async function checkpointContainer(id: string, images: CriuFolders): Promise<void> {
  const folders = ['--image-path', images.images, '--work-path', images.work];
  await withLog(['checkpoint', '--leave-running', ...folders, id], images);
}

/**
 * Recreates a container from such files; its processes run when this resolves.
 * @returns the process id, on this machine, of its first process. Errors: as above, `restore.log`
 */
export async function restoreContainer(id: string, bundle: string, images: CriuFolders): Promise<number> {
  const folders = ['--bundle', bundle, '--image-path', images.images, '--work-path', images.work];
  const pidFile = join(images.work, 'pid');
  await withLog(['restore', '--detach', '--pid-file', pidFile, ...folders, id], images);
  return Number(await readFile(pidFile, 'utf8'));
}

/** Every runc looks for `criu` on the PATH; not every one has an option for it. */
function withCriu({ criuFolder }: CriuFolders) {
  return { PATH: `${criuFolder}:${process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin'}` };
}

/** Forgets a container whose processes have been killed; a no-op for one that isn't there. */
export async function deleteContainer(id: string): Promise<void> {
  try {
    await callRunc(['delete', '--force', id]);
  } catch (error) {
    if (!describeError(error).includes('init still running')) throw error;
    // A zombie: where the machine's first process is not an init (a container without one), it may never be reaped.
    await rm(join(runcRoot, id), { recursive: true, force: true });
  }
}

/** A restored process inherits its streams, so it writes its messages into a file. */
async function withLog(args: readonly string[], images: CriuFolders): Promise<void> {
  const log = join(images.work, 'runc.log');
  await rm(log, { force: true });
  try {
    await callRunc(['--log', log, ...args], { env: withCriu(images), quiet: true });
  } catch (cause) {
    const lines = await readFile(log, 'utf8').catch(() => '');
    const said = [...lines.matchAll(/level=error msg="(.*)"$/gm)].map(([, message]) => message).at(-1);
    if (said === undefined) throw cause;
    throw new PwpError('command-failed', `${describeError(cause)}: ${said}`, { cause });
  }
}

function callRunc(args: readonly string[], options: CommandOptions = {}): Promise<string> {
  return runHostCommand('runc', ['--root', runcRoot, ...args], options);
}

/**
 * Refuses to work in a chroot. runc makes a container's root by pivoting that of the mount namespace; from inside a
 * chroot another folder would be pivoted, and programs started in the sandbox later would see the machine's own root.
 * Errors: `chrooted`.
 */
export async function requireOwnRoot(signal?: AbortSignal): Promise<void> {
  // Entering its own mount namespace again leads to its real root.
  const real = await runHostCommand('nsenter', ['--mount=/proc/self/ns/mnt', 'stat', '-c', '%d:%i', '/'], {
    signal,
  });
  const { dev, ino } = await stat('/');
  if (real.trim() === `${dev}:${ino}`) return;
  throw new PwpError('chrooted', 'sandboxes made from inside a chroot would not be sealed', {
    help: 'Run it outside the chroot, or in a container, which has a root of its own.',
  });
}

/** Stops a container's processes for as long as any holder in this process wants it. An ended one counts as frozen. */
export class SandboxFreezer {
  readonly #id: string;
  #holders = 0;
  /** Pausing and resuming happen one after the other, in the order of the calls. */
  readonly #changes = new SerialQueue();

  constructor(id: string) {
    this.#id = id;
  }

  /** Resolves when everything is frozen; resumes when the last holder is disposed. */
  async freeze(): Promise<AsyncDisposable> {
    await this.#changes.run(async () => {
      if (this.#holders === 0 && !(await hasContainerEnded(this.#id))) await pauseContainer(this.#id);
      this.#holders += 1;
    });
    let released: Promise<void> | undefined;
    return { [Symbol.asyncDispose]: () => (released ??= this.#changes.run(() => this.#release())) };
  }

  async #release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await resumeContainer(this.#id);
  }
}

/** Its first process has ended, and the kernel has ended all others before. */
async function hasContainerEnded(id: string): Promise<boolean> {
  return (await readContainerState(id))?.status === 'stopped';
}
