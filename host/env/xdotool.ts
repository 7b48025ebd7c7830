import { PwpError } from '../../bridge/lib/index.ts';
import type { Sandbox } from '../node/index.ts';

/** Words such as `search --sync` wait for what may never come. */
const longestMs = 10_000;
const mostOutput = 100_000;
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Runs the real xdotool inside the sandbox, where it reaches nothing but the sandbox. Returns its output.
 * Errors: `bad-action` with what it complained of.
 */
export async function runXdotool(
  sandbox: Sandbox,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const command = { argv: ['xdotool', ...words], cwd: '/', env: { DISPLAY: ':1', PATH: path } };
  const bounds = { timeoutMs: longestMs, maxOutputBytes: mostOutput };
  const result = await sandbox.exec({ ...command, ...bounds }, { signal }).catch(refuseMissing);
  if (result.timedOut)
    throw new PwpError('bad-action', `xdotool ${words[0]} did not end within ${longestMs / 1000} s`);
  if (result.exitCode === 0) return result.stdout.trimEnd();
  const said = result.stderr.trim().split('\n').at(-1) || `exit code ${result.exitCode ?? 'none'}`;
  throw new PwpError('bad-action', `xdotool ${words[0]}: ${said}`.slice(0, 1000));
}

/** Even in a sandbox of an older image, or whose program was removed, the step continues. */
function refuseMissing(error: unknown): never {
  if (!(error instanceof PwpError) || error.code !== 'exec-failed') throw error;
  throw new PwpError('bad-action', `the xdotool program does not run here: ${error.message}`, {
    cause: error,
  });
}
