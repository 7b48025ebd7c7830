import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { PwpError, deadline, messageOf, pause } from '../../../bridge/lib/index.ts';
import { thaw } from './cgroup.ts';
import { runcRoot } from './paths.ts';
import { lastLines, run, type RunOptions } from './run.ts';

const container = z.object({
  id: z.string(),
  pid: z.int().describe("of the container's first process, on this machine; 0 when it has ended"),
  status: z.enum(['creating', 'created', 'running', 'pausing', 'paused', 'stopped']),
});
export type Container = z.output<typeof container>;

/** Errors: `runc-missing`. */
export async function requireRunc(signal?: AbortSignal): Promise<void> {
  try {
    await run('runc', ['--version'], { signal });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new PwpError('runc-missing', 'runc, which runs the sandboxes, is not there', {
      help: 'Install it: apt-get install runc',
      cause,
    });
  }
}

/** Starts a container from its bundle; its first process runs when this resolves. */
export async function runDetached(
  id: string,
  bundle: string,
  log: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    // Quiet, because a detached container keeps runc's own standard streams, and a checkpoint can't hold a pipe to us.
    const args = ['--log', log, 'run', '--detach', '--bundle', bundle, id];
    await runc(args, { signal, quiet: true });
  } catch (cause) {
    signal.throwIfAborted();
    const said = lastLines(await readFile(log, 'utf8').catch(() => ''), 5);
    throw new PwpError('sandbox-failed', `runc can't start sandbox ${id}: ${said || messageOf(cause)}`, {
      cause,
    });
  }
}

/** runc fails to list where a container is removed meanwhile, by anyone on this machine. */
const listTries = 20;

export async function listContainers(): Promise<Container[]> {
  for (let left = listTries; ; left -= 1) {
    try {
      const text = await runc(['list', '--format', 'json']);
      return z.array(container).nullable().parse(JSON.parse(text)) ?? [];
    } catch (error) {
      if (left <= 1 || !messageOf(error).includes('no such file')) throw error;
    }
  }
}

/** Null if runc has no such container. */
export async function stateOf(id: string): Promise<Container | null> {
  try {
    return container.parse(JSON.parse(await runc(['state', id])));
  } catch (error) {
    if (/does not exist|no such file/.test(messageOf(error))) return null;
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
      await runc(['pause', id]);
      return;
    } catch (error) {
      if (!messageOf(error).includes('unable to freeze')) throw error;
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
  return thaw(id);
}

/** Where CRIU is, and the folders of one checkpoint of processes. */
export interface Images {
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
export async function checkpointContainer(id: string, images: Images): Promise<void> {
  const folders = ['--image-path', images.images, '--work-path', images.work];
  await withLog(['checkpoint', '--leave-running', ...folders, id], images);
}

/**
 * Recreates a container from such files; its processes run when this resolves.
 * @returns the process id, on this machine, of its first process. Errors: as above, `restore.log`
 */
export async function restoreContainer(id: string, bundle: string, images: Images): Promise<number> {
  const folders = ['--bundle', bundle, '--image-path', images.images, '--work-path', images.work];
  const pidFile = join(images.work, 'pid');
  await withLog(['restore', '--detach', '--pid-file', pidFile, ...folders, id], images);
  return Number(await readFile(pidFile, 'utf8'));
}

/** Every runc looks for `criu` on the PATH; not every one has an option for it. */
function withCriu({ criuFolder }: Images) {
  return { PATH: `${criuFolder}:${process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin'}` };
}

/** Forgets a container whose processes have been killed; a no-op for one that isn't there. */
export async function deleteContainer(id: string): Promise<void> {
  try {
    await runc(['delete', '--force', id]);
  } catch (error) {
    if (!messageOf(error).includes('init still running')) throw error;
    // A zombie: where the machine's first process is not an init (a container without one), it may never be reaped.
    await rm(join(runcRoot, id), { recursive: true, force: true });
  }
}

/** A restored process inherits its streams, so it writes its messages into a file. */
async function withLog(args: readonly string[], images: Images): Promise<void> {
  const log = join(images.work, 'runc.log');
  await rm(log, { force: true });
  try {
    await runc(['--log', log, ...args], { env: withCriu(images), quiet: true });
  } catch (cause) {
    const lines = await readFile(log, 'utf8').catch(() => '');
    const said = [...lines.matchAll(/level=error msg="(.*)"$/gm)].map(([, message]) => message).at(-1);
    if (said === undefined) throw cause;
    throw new PwpError('command-failed', `${messageOf(cause)}: ${said}`, { cause });
  }
}

function runc(args: readonly string[], options: RunOptions = {}): Promise<string> {
  return run('runc', ['--root', runcRoot, ...args], options);
}
