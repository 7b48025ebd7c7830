import { PwpError, clip } from '../../bridge/lib/index.ts';
import { desktop } from '../../bridge/protocol/index.ts';
import type { Sandbox } from '../node/index.ts';

/**
 * Runs the real xdotool inside the sandbox, where it can reach only the display. Returns its output.
 * Errors: `bad-action` with its error output.
 */
export async function runXdotool(
  sandbox: Sandbox,
  words: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const result = await sandbox.call(desktop.xdotool, { words: [...words] }, { signal });
  if (result.timedOut) throw new PwpError('bad-action', `xdotool ${words[0]} did not end in time`);
  if (result.exitCode === 0) return result.stdout.trimEnd();
  const said = result.stderr.trim().split('\n').at(-1) || `exit code ${result.exitCode ?? 'none'}`;
  throw new PwpError('bad-action', clip(`xdotool ${words[0]}: ${said}`, 1000));
}
