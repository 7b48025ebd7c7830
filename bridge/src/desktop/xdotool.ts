import { RpcError, ErrorCode, desktop } from '../../protocol/index.ts';
import type { Handlers } from '../../rpc/index.ts';
import { runArgv } from '../shell.ts';

/** Words such as `search --sync` wait for what may never come. */
const bounds = { timeoutMs: 10_000, maxOutputBytes: 100_000 };
/** They would run other programs, or read files, as the desktop's user. */
const refused = ['exec', 'behave', '--file'];

/** Serves the xdotool program, which reaches nothing but the display. */
export function addXdotool(handlers: Handlers, env: NodeJS.ProcessEnv): void {
  handlers.add(desktop.xdotool, ({ words }, signal) => {
    const bad = words.find((word) => refused.includes(word));
    if (bad !== undefined) throw new RpcError(ErrorCode.InvalidParams, `xdotool ${bad} is refused`);
    return runArgv(['xdotool', ...words], { cwd: '/', env: {}, ...bounds }, env, signal);
  });
}
