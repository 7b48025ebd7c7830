import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { BoundedOutput, deadline, messageOf, raceSignal, signalGroup } from '../lib/index.ts';
import { ErrorCode, RpcError, shell, type ParamsOut, type ShellResult } from '../protocol/index.ts';
import type { Handlers } from '../rpc/index.ts';

/** How long the output of a command that is over is waited for, where a background job keeps it open, in milliseconds. */
const DRAIN_MS = 100;

/** Output of fewer bytes is not divided into its beginning and its end. */
const smallestDivided = 1000;

/** Serves commands. `env` is what they inherit. */
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
 * Runs one program in a process group of its own, which the time-out or a cancelled request kills. Jobs that a command
 * leaves in the background continue when it ends by itself, and what they print is dropped. Errors: `NotFound` for a missing working folder.
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
  // A job that goes on would be ended by its next line if nothing read it.
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

/** Answers a function that waits until the stream has closed; false where that takes too long. */
function closing(stream: Readable): () => Promise<boolean> {
  const closed = new Promise<boolean>((resolve) => stream.once('close', () => resolve(true)));
  return async () => {
    using limit = deadline('end of output', DRAIN_MS);
    return await raceSignal(closed, limit.signal).catch(() => false);
  };
}
