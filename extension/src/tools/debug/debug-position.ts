import * as vscode from 'vscode';
import { deadline } from '../../../../bridge/lib/index.ts';
import { type debugTools, toolError, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import { clip, clipEnd, renderTerminalText } from '../../../../bridge/text/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import {
  type DebugEntry,
  type Debugging,
  type RawFrame,
  readException,
  topFrame,
} from '../../state/index.ts';
import { formatPath } from '../workspace-place.ts';

export type DebugPosition = ToolOutput<typeof debugTools.debugStart>;

/** Maximum wait for the last output of a program that has ended, in milliseconds. */
const lastOutputMs = 2000;

/**
 * Waits until a session of the tree has stopped, or all of them have ended. Returns the session to report.
 * @param others further trees that were started with it: one of them that stops is reported, and all have to end
 */
export async function awaitStop(
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
    if (found.state === 'ended') for (const one of roots) await awaitClosed(debugging, one, signal);
    return found;
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.signal.aborted) throw error;
    return all().findLast(({ state }) => state !== 'ended') ?? root;
  }
}

/** The last output of a program may come after the adapter has reported its end. */
async function awaitClosed(debugging: Debugging, root: DebugEntry, signal: AbortSignal): Promise<void> {
  using limit = deadline('the last output', lastOutputMs, signal);
  await debugging.until(() => root.isClosed || undefined, limit.signal).catch(() => signal.throwIfAborted());
}

/** The state of a session. Errors: `debug-adapter-timeout`. */
export async function readDebugPosition(
  entry: DebugEntry,
  max: number,
  signal: AbortSignal,
): Promise<DebugPosition> {
  const { session, root, stop } = entry;
  const at = entry.state === 'stopped' ? await topFrame(entry, signal) : undefined;
  const exception = await readException(entry, signal);
  const output = takeNewOutput(root, max);
  return {
    session: entry.id,
    name: clipText(session.name),
    type: clipText(session.type),
    state: entry.state,
    reason: stop ? clipText(stop.reason) : null,
    exception: exception === null ? null : clipText(exception),
    frame: at ? describeStackFrame(at) : null,
    source: at?.source?.path === undefined ? '' : await readLinesAround(at.source.path, at.line),
    output: output.text,
    truncated: output.omitted > 0,
    exit_code: root.exitCode,
    terminal: null,
    beside: [],
  };
}

/** Output since the last report; each part is reported once. */
export function takeNewOutput(root: DebugEntry, max: number): { text: string; omitted: number } {
  const fresh = root.output.since(root.reportedLength);
  root.reportedLength = root.output.length;
  const clipped = clipMiddle(renderTerminalText(fresh.text), max);
  return { text: clipped.text, omitted: clipped.omitted + fresh.omitted };
}

export function describeStackFrame({
  id,
  name,
  source,
  line,
  column,
}: RawFrame): NonNullable<DebugPosition['frame']> {
  const path = source?.path;
  return {
    id,
    name: clipText(name),
    path: path === undefined ? null : path.startsWith('/') ? formatPath(path) : clipText(path),
    line: Math.max(0, line),
    column: Math.max(0, column),
  };
}

/** Errors: `failed` if the adapter refused. */
export function refuseFailedStart(root: DebugEntry, tree: readonly DebugEntry[]): void {
  const failed = tree.find(({ failure }) => failure !== undefined);
  if (!failed) return;
  const words = clipEnd(root.output.text, 2000);
  const message = `${root.session.name} was not started: ${failed.failure}`;
  throw toolError('failed', words === '' ? message : `${message}\n${words}`);
}

/** The session of a caller's arguments. Errors: `no-debug-session`. */
export function findSession(debugging: Debugging, id: number | undefined): DebugEntry {
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
export function findStoppedThread(
  debugging: Debugging,
  id: number | undefined,
): { entry: DebugEntry; thread: number } {
  const entry = findSession(debugging, id);
  const stopped =
    entry.state === 'stopped' ? entry : debugging.tree(entry).findLast(({ state }) => state === 'stopped');
  const thread = stopped?.stop?.thread;
  if (stopped && thread !== undefined) return { entry: stopped, thread };
  throw toolError('not-stopped', `debug session ${entry.id} is ${entry.state}, not stopped`, {
    help: 'Stop it first: debug_pause, or a breakpoint',
  });
}

/** Lines above and below. */
const linesEachSide = 3;

/** The lines around a place, numbered, with an arrow at the place; empty if the source can't be read. */
async function readLinesAround(path: string, line: number): Promise<string> {
  if (!path.startsWith('/')) return '';
  try {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    const first = Math.max(1, line - linesEachSide);
    const last = Math.min(document.lineCount, line + linesEachSide);
    const lines: string[] = [];
    for (let at = first; at <= last; at += 1)
      lines.push(`${at === line ? '>' : ' '} ${at}\t${clip(document.lineAt(at - 1).text, 500)}`);
    return clipText(lines.join('\n'));
  } catch {
    return '';
  }
}
