import { RpcError, ErrorCode, desktop } from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import { runArgv } from '../shell.ts';

/** Options such as `search --sync` may wait for ever. */
const bounds = { timeoutMs: 10_000, maxOutputBytes: 100_000 };
/** Commands that would run other programs, or read files, as the desktop's user. */
const refused = ['exec', 'behave', '--file'];

/** Serves the xdotool program, which only has access to the display. */
export function addXdotool(handlers: Handlers, env: NodeJS.ProcessEnv): void {
  handlers.add(desktop.xdotool, ({ words }, signal) => {
    const bad = words.find((word) => refused.includes(word));
    if (bad !== undefined) throw new RpcError(ErrorCode.InvalidParams, `xdotool ${bad} is refused`);
    return runArgv(['xdotool', ...words], { cwd: '/', env: {}, ...bounds }, env, signal);
  });
}
