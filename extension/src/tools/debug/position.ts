import { clipEnd, deadline, shownText } from '../../../../bridge/lib/index.ts';
import { toolError, type ToolOutput, type debugTools } from '../../../../bridge/protocol/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import { exceptionOf, topFrame, type DebugEntry, type Debugging, type RawFrame } from '../../state/index.ts';
import { pathText } from '../place/index.ts';
import { linesAround } from './source.ts';

export type Position = ToolOutput<typeof debugTools.debugStart>;

/** Maximum wait for the last output of a program that has ended, in milliseconds. */
const lastOutputMs = 2000;

/**
 * Waits until a session of the tree has stopped, or all of them have ended. Returns the session to report.
 * @param others further trees that were started with it: one of them that stops is reported, and all have to end
 */
export async function settled(
  debugging: Debugging,
  root: DebugEntry,
  ms: number,
  signal: AbortSignal,
  others: readonly DebugEntry[] = [],
): Promise<DebugEntry> {
  const roots = [root, ...others];
  const all = () => roots.flatMap((one) => debugging.tree(one));
  const look = () => {
    const stopped = all().findLast(({ state }) => state === 'stopped');
    return stopped ?? (roots.every(({ state }) => state === 'ended') ? root : undefined);
  };
  using limit = deadline('stop of the program', ms, signal);
  try {
    const found = await debugging.until(look, limit.signal);
    if (found.state === 'ended') for (const one of roots) await closed(debugging, one, signal);
    return found;
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.signal.aborted) throw error;
    return all().findLast(({ state }) => state !== 'ended') ?? root;
  }
}

/** The last output of a program may come after the adapter has reported its end. */
async function closed(debugging: Debugging, root: DebugEntry, signal: AbortSignal): Promise<void> {
  using limit = deadline('the last output', lastOutputMs, signal);
  await debugging.until(() => root.isClosed || undefined, limit.signal).catch(() => signal.throwIfAborted());
}

/** The state of a session. Errors: `debug-adapter-timeout`. */
export async function positionOf(entry: DebugEntry, max: number, signal: AbortSignal): Promise<Position> {
  const { session, root, stop } = entry;
  const at = entry.state === 'stopped' ? await topFrame(entry, signal) : undefined;
  const exception = await exceptionOf(entry, signal);
  const output = newOutput(root, max);
  return {
    session: entry.id,
    name: clipText(session.name),
    type: clipText(session.type),
    state: entry.state,
    reason: stop ? clipText(stop.reason) : null,
    exception: exception === null ? null : clipText(exception),
    frame: at ? plainFrame(at) : null,
    source: at?.source?.path === undefined ? '' : await linesAround(at.source.path, at.line),
    output: output.text,
    truncated: output.omitted > 0,
    exit_code: root.exitCode,
    terminal: null,
    beside: [],
  };
}

/** Output since the last report; each part is reported once. */
export function newOutput(root: DebugEntry, max: number): { text: string; omitted: number } {
  const fresh = root.output.since(root.reportedLength);
  root.reportedLength = root.output.length;
  const clipped = clipMiddle(shownText(fresh.text), max);
  return { text: clipped.text, omitted: clipped.omitted + fresh.omitted };
}

export function plainFrame({ id, name, source, line, column }: RawFrame): NonNullable<Position['frame']> {
  const path = source?.path;
  return {
    id,
    name: clipText(name),
    path: path === undefined ? null : path.startsWith('/') ? pathText(path) : clipText(path),
    line: Math.max(0, line),
    column: Math.max(0, column),
  };
}

/** Errors: `failed` if the adapter refused. */
export function refuseFailed(root: DebugEntry, tree: readonly DebugEntry[]): void {
  const failed = tree.find(({ failure }) => failure !== undefined);
  if (!failed) return;
  const words = clipEnd(root.output.text, 2000);
  const message = `${root.session.name} was not started: ${failed.failure}`;
  throw toolError('failed', words === '' ? message : `${message}\n${words}`);
}
