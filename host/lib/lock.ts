import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { raceSignal, PwpError } from '../../bridge/lib/index.ts';
import { identify, isAlive, type ProcessIdentity } from './identity.ts';
import { lockCommand, tryPipeLock } from './lock-program.ts';

export interface LockOptions {
  readonly signal: AbortSignal;
  /** Called once when another process holds the lock, with its identity where that is known. */
  readonly onWait?: (holder: ProcessIdentity | null) => void;
}

/**
 * Waits for the lock of `path`, and holds it until the result is disposed.
 *  The kernel keeps the lock (flock). A small process holds it and ends when ours does, however that ends: a lock can't
 * be left behind, so it can't be stale. The file says who holds it; it is never removed.
 */
export async function acquireLock(path: string, options: LockOptions): Promise<AsyncDisposable> {
  await mkdir(dirname(path), { recursive: true });
  const free = await lock(path, false, options.signal);
  if (free) return free;
  options.onWait?.(await lockHolder(path));
  const held = await lock(path, true, options.signal);
  if (!held) throw new PwpError('lock-failed', `can't lock ${path}`);
  return held;
}

/** As {@link acquireLock}, but null at once where another process holds it. */
export async function tryLock(path: string, signal: AbortSignal): Promise<AsyncDisposable | null> {
  await mkdir(dirname(path), { recursive: true });
  return await lock(path, false, signal);
}

/** The process that holds the lock, or null. */
export async function lockHolder(path: string): Promise<ProcessIdentity | null> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8')) as ProcessIdentity;
    return (await isAlive(holder)) ? holder : null;
  } catch {
    return null;
  }
}

/** Null when another process has it. */
async function lock(path: string, wait: boolean, signal: AbortSignal): Promise<AsyncDisposable | null> {
  if (process.platform === 'win32') return tryPipeLock(path, wait, signal);
  const [program, args] = lockCommand(path, wait);
  // In a process group of its own, so that Ctrl-C reaches us alone and the lock stays until we have cleaned up.
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const exited = once(child, 'exit');
  const release = async () => {
    child.stdin.destroy();
    await exited;
  };
  try {
    const held = once(child.stdout, 'data').then(() => true);
    const got = await raceSignal(Promise.race([held, exited.then(() => false)]), signal);
    if (!got) return null;
    await writeFile(path, JSON.stringify(await identify(process.pid)));
    return { [Symbol.asyncDispose]: release };
  } catch (cause) {
    child.kill('SIGKILL');
    child.stdin.destroy();
    // Until it has ended it has the file open: who disposes of the folder next would find it in use.
    await exited.catch(() => undefined);
    throw cause;
  }
}
