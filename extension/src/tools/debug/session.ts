import { toolError } from '../../../../bridge/protocol/index.ts';
import type { DebugEntry, Debugging } from '../../state/index.ts';

/** The session of a caller's arguments. Errors: `no-debug-session`. */
export function sessionOf(debugging: Debugging, id: number | undefined): DebugEntry {
  const found = id === undefined ? debugging.current : debugging.live.find((entry) => entry.id === id);
  if (found) return found;
  const ids = debugging.live.map((entry) => entry.id).join(', ');
  const what = id === undefined ? 'no program is being debugged' : `there is no debug session ${id}`;
  throw toolError('no-debug-session', what, {
    help: ids === '' ? 'Start one: debug_start' : `There are ${ids}`,
  });
}

/** Adapters ignore filters that they don't know. Errors: `bad-arguments`. */
export function refuseUnknownFilters(
  { exceptionFilters: known }: DebugEntry,
  filters: readonly string[],
): void {
  const unknown = known && filters.find((one) => !known.includes(one));
  if (unknown === undefined) return;
  const there = known?.length === 0 ? 'it has none' : `it has ${known?.join(', ')}`;
  throw toolError('bad-arguments', `the debugger has no filter ${unknown} of exceptions: ${there}`);
}

/** A stopped session, and its stopped thread. Errors: `no-debug-session`, `not-stopped`. */
export function stoppedOf(
  debugging: Debugging,
  id: number | undefined,
): { entry: DebugEntry; thread: number } {
  const entry = sessionOf(debugging, id);
  const stopped =
    entry.state === 'stopped' ? entry : debugging.tree(entry).findLast(({ state }) => state === 'stopped');
  const thread = stopped?.stop?.thread;
  if (stopped && thread !== undefined) return { entry: stopped, thread };
  throw toolError('not-stopped', `debug session ${entry.id} is ${entry.state}, not stopped`, {
    help: 'Stop it first: debug_pause, or a breakpoint',
  });
}
