import { PwpError, clipEnd } from '../../../bridge/lib/index.ts';
import type { Sandbox } from '../../node/index.ts';
import { scriptText } from '../../tasks/index.ts';

const env = { PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin', HOME: '/root', LANG: 'C.UTF-8' };
const maxOutputBytes = 100_000;

/**
 * Runs a task's set-up script in its workspace, as the user that runs the agent's commands. The script itself is not
 * left inside. Errors: `setup-failed` with the end of what it printed.
 */
export async function setUp(
  sandbox: Sandbox,
  script: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> {
  const argv = ['/bin/bash', '--noprofile', '--norc', '-e', '-s'];
  const command = { argv, cwd: '/workspace', env, input: scriptText(script), timeoutMs, maxOutputBytes };
  const { exitCode, stdout, stderr } = await sandbox.exec(command, { signal });
  if (exitCode === 0) return;
  const said = clipEnd(`${stdout}\n${stderr}`.trim(), 2000);
  throw new PwpError('setup-failed', `the set-up script of the task ended with ${exitCode}: ${said}`, {
    help: "It runs inside, without a network and without root's capabilities; see docs/tasks.md.",
  });
}
