import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { deadline, messageOf, raceSignal, readBounded, signalGroup } from '../../lib/index.ts';
import { toolError } from '../../protocol/index.ts';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program that answers once, in its own process group. Errors: `no-program`, `timed-out` (the program is killed,
 * also when the caller gives up), `too-large` for an answer beyond the bound.
 * @param what names it in errors
 */
export async function runProgram(
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
    collect(child.stdout, options.maxBytes),
    collect(child.stderr, options.maxBytes),
  ]);
  // It may end without having read its input.
  child.stdin.on('error', () => undefined).end(options.input);
  try {
    const [[code], [stdout, stderr]] = await raceSignal(Promise.all([closed, outputs]), limit.signal);
    return { code, stdout, stderr };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw toolError('no-program', `${what}: can't start ${file}: ${messageOf(error)}`, { cause: error });
    throw error;
  } finally {
    // A child of the program may have stayed in the group.
    signalGroup(child.pid, 'SIGKILL');
  }
}

/** Rejects as soon as the output exceeds the bound. */
async function collect(stream: Readable, maxBytes: number): Promise<string> {
  const all = await readBounded(stream, maxBytes);
  if (!all) throw toolError('too-large', `the answer has more than ${maxBytes} bytes`);
  return all.toString('utf8');
}
