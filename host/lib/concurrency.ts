import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { poll, PwpError, raceSignal } from '../../bridge/lib/index.ts';
import { identifyProcess, isProcessAlive, type ProcessIdentity } from './process-identity.ts';

export interface LockOptions {
  readonly signal: AbortSignal;
  /** Called once when another process holds the lock, with its identity where that is known. */
  readonly onWait?: (holder: ProcessIdentity | null) => void;
  /** What is done meanwhile. The file is then emptied at the end, so that {@link readLockNote} finds interrupted work. */
  readonly purpose?: string;
}

/**
 * Waits for the lock of `path`, and holds it until the result is disposed.
 *  The kernel keeps the lock (flock). A small process holds it and ends when ours does, however that ends: a lock can't
 * be left behind, so it can't be stale. The file says who holds it; it is never removed.
 */
export async function acquireLock(path: string, options: LockOptions): Promise<AsyncDisposable> {
  await mkdir(dirname(path), { recursive: true });
  const free = await takeLock(path, false, options);
  if (free) return free;
  options.onWait?.(await lockHolder(path));
  const held = await takeLock(path, true, options);
  if (!held) throw new PwpError('command-failed', `can't lock ${path}`);
  return held;
}

/** As {@link acquireLock}, but null at once where another process holds it. */
export async function tryLock(path: string, signal: AbortSignal): Promise<AsyncDisposable | null> {
  await mkdir(dirname(path), { recursive: true });
  return await takeLock(path, false, { signal });
}

interface LockNote extends ProcessIdentity {
  readonly purpose?: string;
}

/** The process that holds a lock with a purpose, or was killed while it held it; null if there is no such process. */
export async function readLockNote(path: string): Promise<LockNote | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text === '' ? null : (JSON.parse(text) as LockNote);
}

/** The process that holds the lock, or null. */
export async function lockHolder(path: string): Promise<ProcessIdentity | null> {
  const note = await readLockNote(path).catch(() => null);
  return note && (await isProcessAlive(note)) ? note : null;
}

/** Null when another process has it. */
async function takeLock(
  path: string,
  wait: boolean,
  { signal, purpose }: LockOptions,
): Promise<AsyncDisposable | null> {
  if (process.platform === 'win32') return tryPipeLock(path, wait, signal);
  const [program, args] = lockCommand(path, wait);
  // In a process group of its own, so that Ctrl-C reaches us alone and the lock stays until we have cleaned up.
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const exited = once(child, 'exit');
  const held = new AsyncDisposableStack();
  held.defer(async () => {
    child.stdin.destroy();
    await exited;
  });
  try {
    const taken = once(child.stdout, 'data').then(() => true);
    const got = await raceSignal(Promise.race([taken, exited.then(() => false)]), signal);
    if (!got) return null;
    await writeFile(path, JSON.stringify({ ...(await identifyProcess(process.pid)), purpose }));
    // The file may have gone with its folder. Others keep their text: on a full disk there would be no room for the next.
    if (purpose !== undefined) held.defer(() => truncate(path).catch(() => undefined));
    return held;
  } catch (cause) {
    child.kill('SIGKILL');
    child.stdin.destroy();
    // Until it has ended it has the file open: who disposes of the folder next would find it in use.
    await exited.catch(() => undefined);
    throw cause;
  }
}

/** Pause between two checks whether a pipe is free, in milliseconds: Windows sends no event. */
const pipeCheckMs = 200;

const perlLockScript = `
  use Fcntl ':flock';
  open(my $file, '>>', $ARGV[0]) or exit 1;
  flock($file, $ARGV[1] ? LOCK_EX : LOCK_EX | LOCK_NB) or exit 1;
  $| = 1; print "held\\n"; 1 while <STDIN>;
`;

/**
 * A program that takes the kernel's lock on a file, says so, and keeps it until its input ends: util-linux has one, and
 * other Unix systems, e.g. macOS, have Perl. It fails if it must not wait and another process has the lock.
 */
export function lockCommand(
  path: string,
  wait: boolean,
  platform: NodeJS.Platform = process.platform,
): [program: string, args: string[]] {
  if (platform !== 'linux') return ['perl', ['-e', perlLockScript, path, wait ? '1' : '0']];
  return ['flock', [...(wait ? [] : ['--nonblock']), '--close', path, 'sh', '-c', 'echo held; exec cat']];
}

/**
 * As the program, for Windows: a named pipe has one owner and goes with its process. Null when another process has it.
 */
async function tryPipeLock(
  path: string,
  wait: boolean,
  signal: AbortSignal,
): Promise<AsyncDisposable | null> {
  const pipe = `\\\\.\\pipe\\pwp-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`;
  const take = async () => {
    const value = await listenOnPipe(pipe);
    return value || !wait ? ({ done: true, value } as const) : ({ done: false, saw: 'taken' } as const);
  };
  return poll(`lock of ${path}`, take, { intervalMs: pipeCheckMs, signal });
}

async function listenOnPipe(pipe: string): Promise<AsyncDisposable | null> {
  const server = createServer();
  try {
    server.listen(pipe);
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null;
    throw error;
  }
}

/** Maps over items, at most `width` at a time, results in the items' order; nothing new starts once `signal` fires. */
export async function forEachParallel<T, R>(
  items: readonly T[],
  width: number,
  signal: AbortSignal,
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>();
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      signal.throwIfAborted();
      results.set(index, await run(item));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return [...results.entries()].sort(([a], [b]) => a - b).map(([, result]) => result);
}
