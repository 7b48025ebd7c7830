import { PwpError, deadline, poll } from '../../../../bridge/lib/index.ts';
import { run } from '../run.ts';

/** What others have under way on a sandbox they end first, before they let go of it. In milliseconds. */
const closingMs = 10_000;
const againMs = 5;

/**
 * Waits until nobody outside a sandbox is connected to a Unix socket in it: a dump can't hold half a connection.
 * Errors: `checkpoint-failed` if somebody stays, e.g. another process that has opened the sandbox.
 */
export async function awaitNobodyOutside(netns: string, signal: AbortSignal): Promise<void> {
  using limit = deadline('the end of connections', closingMs, signal);
  const probe = async () => {
    const there = await connectedFromOutside(netns, signal);
    if (there.length === 0) return { done: true, value: undefined } as const;
    return { done: false, saw: there.join(', ') } as const;
  };
  try {
    await poll('the end of connections from outside', probe, { intervalMs: againMs, signal: limit.signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new PwpError('checkpoint-failed', 'another process is connected to the sandbox', {
      help: 'It has not let go of it in time: end what else drives or watches this sandbox, then try again.',
      cause,
    });
  }
}

/** Paths of sockets of a network namespace whose other end is in another one. */
export async function connectedFromOutside(netns: string, signal?: AbortSignal): Promise<string[]> {
  const table = await run('nsenter', [`--net=${netns}`, 'ss', '-xaH'], { signal });
  return outsideIn(table);
}

/** Reads the output of `ss -xaH`: in each line, last, path and number of a socket and of its peer. */
export function outsideIn(table: string): string[] {
  const rows = table
    .split('\n')
    .map((line) => line.trim().split(/\s+/).slice(-4))
    .filter((row) => row.length === 4);
  const inside = new Set(rows.map((row) => row[1]));
  // 0: it listens, or its peer is closed.
  const outside = rows.filter(([, , , peer]) => peer !== '0' && peer !== '*' && !inside.has(peer));
  return outside.map(([path, number]) => (path === '*' ? `socket ${number ?? ''}` : (path ?? '')));
}
