import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { BoundedOutput, deadline, messageOf, raceSignal, signalGroup } from '../lib/index.ts';
import { ErrorCode, RpcError, shell, type ParamsOut, type ShellResult } from '../protocol/index.ts';
import type { Handlers } from '../rpc/index.ts';

/** How long to wait for the end of a finished command's output, which a background job may keep open, in milliseconds. */
const DRAIN_MS = 100;

/** With a smaller bound, in bytes, only the beginning of the output is kept, not its end. */
const smallestDivided = 1000;

/** Serves commands. @param env the environment that they inherit */
export function addShell(handlers: Handlers, env: NodeJS.ProcessEnv): void {
  handlers.add(shell.run, (params, signal) => runCommand(params, env, signal));
}

/** A command of bash, as {@link runArgv} runs it. */
export function runCommand(
  { command, ...options }: ParamsOut<typeof shell.run>,
  inherited: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ShellResult> {
  return runArgv(['bash', '-c', command], options, inherited, signal);
}

/**
 * Runs one program in its own process group, which the time-out or a cancelled request kills. Background jobs of a
 * command that ends by itself continue, and their output is dropped. Errors: `NotFound` for a missing working folder.
 */
export async function runArgv(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env, timeoutMs, maxOutputBytes }: Omit<ParamsOut<typeof shell.run>, 'command'>,
  inherited: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ShellResult> {
  const started = performance.now();
  using limit = deadline('the command', timeoutMs, signal);
  const child = spawn(file, args, {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const tail = maxOutputBytes < smallestDivided ? 0 : Math.floor(maxOutputBytes / 2);
  const outputs = [child.stdout, child.stderr].map((stream) => ({
    kept: new BoundedOutput(stream, maxOutputBytes, tail),
    closed: closing(stream),
  }));
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const finished = await raceSignal(ended, limit.signal).catch(async (error: unknown) => {
    if (child.pid === undefined)
      throw new RpcError(ErrorCode.NotFound, `can't start in ${cwd}: ${messageOf(error)}`);
    signalGroup(child.pid, 'SIGKILL');
    return { killed: await ended };
  });
  const cut = 'killed' in finished;
  if (signal.aborted)
    throw new RpcError(ErrorCode.Cancelled, 'the command was cancelled and its processes killed');
  const [exitCode, by] = cut ? finished.killed : finished;
  const closed = await Promise.all(outputs.map((output) => output.closed()));
  const [stdout = '', stderr = ''] = outputs.map(({ kept }) => kept.text());
  const truncated = outputs.some(({ kept }) => kept.truncated);
  // If nothing read their output, jobs that continue would be killed when they write.
  for (const { kept } of outputs) kept.drop();
  return {
    exitCode,
    signal: by,
    stdout,
    stderr,
    truncated,
    timedOut: cut,
    jobsLeft: closed.includes(false),
    durationMs: performance.now() - started,
  };
}

/** Returns a function that waits until the stream has closed; it resolves with false if that takes too long. */
function closing(stream: Readable): () => Promise<boolean> {
  const closed = new Promise<boolean>((resolve) => stream.once('close', () => resolve(true)));
  return async () => {
    using limit = deadline('end of output', DRAIN_MS);
    return await raceSignal(closed, limit.signal).catch(() => false);
  };
}
