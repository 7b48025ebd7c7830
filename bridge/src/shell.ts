import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import {
  BoundedOutput,
  deadline,
  describeError,
  raceSignal,
  readBounded,
  signalGroup,
} from '../lib/index.ts';
import {
  ErrorCode,
  type ParamsOut,
  RpcError,
  shell,
  type ShellResult,
  toolError,
} from '../protocol/index.ts';
import type { Handlers } from '../rpc/index.ts';
import type { ProgramSurroundings } from './config.ts';
import { findShell } from './image-environment.ts';

/** How long to wait for the end of a finished command's output, which a background job may keep open, in milliseconds. */
const DRAIN_MS = 100;

/** With a smaller bound, in bytes, only the beginning of the output is kept, not its end. */
const smallestDividedBytes = 1000;

/** Serves commands. */
export function serveShell(handlers: Handlers, surroundings: ProgramSurroundings): void {
  handlers.add(shell.run, (params, signal) => runShellCommand(params, surroundings, signal));
}

/** A command of bash, as {@link runArgv} runs it. */
export async function runShellCommand(
  { command, cwd, ...options }: ParamsOut<typeof shell.run>,
  { workspace, env }: ProgramSurroundings,
  signal: AbortSignal,
): Promise<ShellResult> {
  const inherited = await env();
  const argv = [findShell(inherited), '-c', command] as const;
  return runArgv(argv, { ...options, cwd: cwd ?? workspace }, inherited, signal);
}

type ProgramOptions = Omit<ParamsOut<typeof shell.run>, 'command' | 'cwd'> & { readonly cwd: string };

/**
 * Runs one program in its own process group, which the time-out or a cancelled request kills. Background jobs of a
 * command that ends by itself continue, and their output is dropped. Errors: `NotFound` for a missing working folder.
 */
export async function runArgv(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env, timeoutMs, maxOutputBytes }: ProgramOptions,
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
  const tail = maxOutputBytes < smallestDividedBytes ? 0 : Math.floor(maxOutputBytes / 2);
  const outputs = [child.stdout, child.stderr].map((stream) => ({
    kept: new BoundedOutput(stream, maxOutputBytes, tail),
    closed: watchClosing(stream),
  }));
  const ended = once(child, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  const finished = await raceSignal(ended, limit.signal).catch(async (error: unknown) => {
    if (child.pid === undefined)
      throw new RpcError(ErrorCode.NotFound, `can't start in ${cwd}: ${describeError(error)}`);
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
function watchClosing(stream: Readable): () => Promise<boolean> {
  const closed = new Promise<boolean>((resolve) => stream.once('close', () => resolve(true)));
  return async () => {
    using limit = deadline('end of output', DRAIN_MS);
    return await raceSignal(closed, limit.signal).catch(() => false);
  };
}

interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program that answers once, in its own process group. Errors: `no-program`, `timed-out` (the program is killed,
 * also when the caller gives up), `too-large` for an answer beyond the bound.
 * @param what names it in errors
 */
export async function runProgramOnce(
  what: string,
  argv: readonly [string, ...string[]],
  options: { input: string; env: NodeJS.ProcessEnv; cwd: string; timeoutMs: number; maxBytes: number },
  signal: AbortSignal,
): Promise<ProgramResult> {
  using limit = deadline(what, options.timeoutMs, signal);
  const [file, ...args] = argv;
  const child = spawn(file, args, { cwd: options.cwd, env: options.env, detached: true });
  const closed = once(child, 'close') as Promise<[code: number | null]>;
  const outputs = Promise.all([
    collectOutput(child.stdout, options.maxBytes),
    collectOutput(child.stderr, options.maxBytes),
  ]);
  // It may end without having read its input.
  child.stdin.on('error', () => undefined).end(options.input);
  try {
    const [[code], [stdout, stderr]] = await raceSignal(Promise.all([closed, outputs]), limit.signal);
    return { code, stdout, stderr };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw toolError('no-program', `${what}: can't start ${file}: ${describeError(error)}`, {
        cause: error,
      });
    throw error;
  } finally {
    // A child of the program may have stayed in the group.
    signalGroup(child.pid, 'SIGKILL');
  }
}

/** Rejects as soon as the output exceeds the bound. */
async function collectOutput(stream: Readable, maxBytes: number): Promise<string> {
  const all = await readBounded(stream, maxBytes);
  if (!all) throw toolError('too-large', `the answer has more than ${maxBytes} bytes`);
  return all.toString('utf8');
}
