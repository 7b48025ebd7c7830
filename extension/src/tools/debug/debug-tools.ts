import * as vscode from 'vscode';
import { deadline, describeError, poll, raceSignal } from '../../../../bridge/lib/index.ts';
import { debugTools, toolError, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clipEnd } from '../../../../bridge/text/index.ts';
import { clipText } from '../../lib/index.ts';
import { askAdapter, type DebugEntry, type Debugging, type Terminals } from '../../state/index.ts';
import type { WindowFacts } from '../window-facts.ts';
import { listBreakpoints, removeBreakpoints, setBreakpoint } from './breakpoints.ts';
import {
  awaitStop,
  type DebugPosition,
  findSession,
  readDebugPosition,
  refuseFailedStart,
  refuseUnknownFilters,
  takeNewOutput,
} from './debug-position.ts';
import { debugEvaluate, debugExceptions, debugStack, debugVariables } from './inspect-program.ts';
import { chooseConfiguration, type CompoundConfiguration, isCompound } from './launch-configuration.ts';
import { debugContinue, debugPause, debugStep, resumeProgram } from './run-control.ts';

/** Adds VS Code's debugger. */
export function addDebugTools(
  handlers: ToolHandlers,
  { watches: { debugging, terminals } }: WindowFacts,
): ToolHandlers {
  return handlers
    .add(debugTools.debugStart, (input, { signal }) => debugStart({ debugging, terminals }, input, signal))
    .add(debugTools.debugContinue, (input, { signal }) => debugContinue(debugging, input, signal))
    .add(debugTools.debugStep, (input, { signal }) => debugStep(debugging, input, signal))
    .add(debugTools.debugPause, (input, { signal }) => debugPause(debugging, input, signal))
    .add(debugTools.debugExceptions, (input, { signal }) => debugExceptions(debugging, input, signal))
    .add(debugTools.debugStop, (input) => debugStop(debugging, input))
    .add(debugTools.setBreakpoint, (input) => setBreakpoint(debugging, input))
    .add(debugTools.removeBreakpoints, removeBreakpoints)
    .add(debugTools.listBreakpoints, () => listBreakpoints(debugging))
    .add(debugTools.debugStack, (input, { signal }) => debugStack(debugging, input, signal))
    .add(debugTools.debugVariables, (input, { signal }) => debugVariables(debugging, input, signal))
    .add(debugTools.debugEvaluate, (input, { signal }) => debugEvaluate(debugging, input, signal));
}

/** Maximum time for an adapter to start a program, in milliseconds. */
const startMs = 20_000;
/** The same for Delve, which builds the program first, and with an empty cache the standard library, too. */
const buildMs = 120_000;

async function debugStart(
  { debugging, terminals }: { debugging: Debugging; terminals: Terminals },
  input: ToolInput<typeof debugTools.debugStart>,
  signal: AbortSignal,
): Promise<DebugPosition> {
  const configuration = await chooseConfiguration(input);
  const asked = performance.now();
  const [root, ...others] = await beginSession(debugging, configuration, signal);
  let entry = await awaitStop(debugging, root, input.wait_ms, signal, others);
  refuseFailedStart(root, debugging.tree(root));
  if (input.exceptions !== undefined && entry.stop?.thread !== undefined) {
    try {
      refuseUnknownFilters(entry, input.exceptions);
    } catch (error) {
      await endSessions(debugging, [root]);
      throw error;
    }
    await askAdapter(entry, 'setExceptionBreakpoints', { filters: input.exceptions }, signal);
    if (!input.stop_on_entry) {
      await resumeProgram(debugging, entry, entry.stop.thread, 'continue', signal);
      entry = await awaitStop(debugging, root, input.wait_ms, signal);
    }
  }
  const position = await readDebugPosition(entry, input.max_output, signal);
  const beside = [root, ...others].filter((one) => one !== entry.root);
  const inTerminal = !isCompound(configuration) && configuration.console === 'integratedTerminal';
  return {
    ...position,
    terminal: inTerminal ? await findTerminalSince(terminals, asked, root, signal) : null,
    beside: beside.slice(0, 100).map(({ id, session, state }) => ({
      session: id,
      name: clipText(session.name),
      type: clipText(session.type),
      state,
    })),
  };
}

/** Resolves when VS Code has started the session, or all of a compound. An adapter that does not answer is stopped. */
async function beginSession(
  debugging: Debugging,
  configuration: vscode.DebugConfiguration | CompoundConfiguration,
  signal: AbortSignal,
): Promise<readonly [DebugEntry, ...DebugEntry[]]> {
  const before = new Set(debugging.all);
  const folder = vscode.workspace.workspaceFolders?.[0];
  const ours = () => debugging.all.filter((entry) => !before.has(entry) && entry.root === entry);
  const refuseAnyFailed = () => ours().forEach((root) => refuseFailedStart(root, debugging.tree(root)));
  const ms = isCompound(configuration) || configuration.type === 'go' ? buildMs : startMs;
  const wanted = isCompound(configuration) ? configuration.name : configuration;
  using limit = deadline(`start of ${configuration.name}`, ms, signal);
  try {
    const asked = Promise.resolve(vscode.debug.startDebugging(folder, wanted));
    const started = await raceSignal(asked, limit.signal);
    refuseAnyFailed();
    const [root, ...others] = ours();
    if (started && root) return [root, ...others];
  } catch (error) {
    const roots = ours();
    // Not awaited: an adapter that does not answer does not answer this either.
    if (roots.length > 0) void endSessions(debugging, roots);
    signal.throwIfAborted();
    if (!limit.signal.aborted) throw error;
    const why = `${configuration.name}: the debug adapter did not begin within ${ms} ms (${describeError(error)})`;
    throw toolError('debug-adapter-timeout', why, { cause: error, help: 'The session was ended' });
  }
  throw toolError('failed', `VS Code did not start ${configuration.name}`, {
    help: 'Look at what it says on the screen',
  });
}

/** Maximum time for sessions to end, in milliseconds. */
const stopMs = 10_000;

async function debugStop(
  debugging: Debugging,
  input: ToolInput<typeof debugTools.debugStop>,
): Promise<ToolOutput<typeof debugTools.debugStop>> {
  const wanted = input.session === undefined ? debugging.live : [findSession(debugging, input.session)];
  const roots = [...new Set(wanted.map(({ root }) => root))];
  const all = roots.flatMap((root) => debugging.tree(root)).filter(({ state }) => state !== 'ended');
  await endSessions(debugging, roots);
  const ended = all.filter(({ state }) => state === 'ended');
  const output = roots.map((root) => takeNewOutput(root, input.max_output).text).join('');
  return {
    ended: ended.slice(0, 100).map(({ id, session }) => ({
      session: id,
      name: clipText(session.name),
      type: clipText(session.type),
    })),
    remaining: all.length - ended.length,
    output: clipEnd(output, 100_000),
  };
}

/** Ends sessions with their children, and waits until they have ended, up to the maximum time. */
async function endSessions(debugging: Debugging, roots: readonly DebugEntry[]): Promise<void> {
  using limit = deadline('end of debugging', stopMs);
  const asked = roots.map(({ session }) => Promise.resolve(vscode.debug.stopDebugging(session)));
  const over = () =>
    roots.every((root) => debugging.tree(root).every(({ state }) => state === 'ended')) ? true : undefined;
  await raceSignal(Promise.all(asked), limit.signal).catch(() => undefined);
  await debugging.until(over, limit.signal).catch(() => undefined);
}

/** Maximum time until a program starts in its terminal after the debugger has reported that it runs, in milliseconds. */
const terminalStartMs = 10_000;

/**
 * The terminal in which a program was started after a given time: VS Code reuses a free terminal. Null if none is
 * reported, e.g. for a shell without shell integration.
 */
async function findTerminalSince(
  terminals: Terminals,
  start: number,
  session: DebugEntry,
  signal: AbortSignal,
): Promise<number | null> {
  using limit = deadline('start of the program in its terminal', terminalStartMs, signal);
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
