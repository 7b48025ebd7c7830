import { deadline, poll } from '../../../../bridge/lib/index.ts';
import type { DebugEntry, Terminals } from '../../state/index.ts';

/** Maximum time until a program starts in its terminal after the debugger has reported that it runs, in milliseconds. */
const startMs = 10_000;

/**
 * The terminal in which a program was started after a given time: VS Code reuses a free terminal. Null if none is
 * reported, e.g. for a shell without shell integration.
 */
export async function terminalSince(
  terminals: Terminals,
  start: number,
  session: DebugEntry,
  signal: AbortSignal,
): Promise<number | null> {
  using limit = deadline('start of the program in its terminal', startMs, signal);
  const probe = () => {
    const found = terminals.all.findLast(({ last }) => last !== undefined && last.began >= start);
    return found || session.isClosed
      ? ({ done: true, value: found?.id ?? null } as const)
      : ({ done: false, saw: 'no command' } as const);
  };
  try {
    return await poll('the terminal of the program', probe, { intervalMs: 50, signal: limit.signal });
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
