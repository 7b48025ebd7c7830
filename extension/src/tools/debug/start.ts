import * as vscode from 'vscode';
import { deadline, messageOf, raceSignal } from '../../../../bridge/lib/index.ts';
import { toolError, type ToolInput, type debugTools } from '../../../../bridge/protocol/index.ts';
import { clipText } from '../../lib/index.ts';
import { askAdapter, type DebugEntry, type Debugging, type Terminals } from '../../state/index.ts';
import { configurationOf, isCompound, type Compound } from './configuration.ts';
import { resume } from './go.ts';
import { positionOf, refuseFailed, settled, type Position } from './position.ts';
import { refuseUnknownFilters } from './session.ts';
import { endSessions } from './stop.ts';
import { terminalSince } from './terminal.ts';

/** Maximum time for an adapter to start a program, in milliseconds. */
const startMs = 20_000;
/** The same for Delve, which builds the program first, and with an empty cache the standard library, too. */
const buildMs = 120_000;

export async function debugStart(
  { debugging, terminals }: { debugging: Debugging; terminals: Terminals },
  input: ToolInput<typeof debugTools.debugStart>,
  signal: AbortSignal,
): Promise<Position> {
  const configuration = await configurationOf(input);
  const asked = performance.now();
  const [root, ...others] = await begin(debugging, configuration, signal);
  let entry = await settled(debugging, root, input.wait_ms, signal, others);
  refuseFailed(root, debugging.tree(root));
  if (input.exceptions !== undefined && entry.stop?.thread !== undefined) {
    try {
      refuseUnknownFilters(entry, input.exceptions);
    } catch (error) {
      await endSessions(debugging, [root]);
      throw error;
    }
    await askAdapter(entry, 'setExceptionBreakpoints', { filters: input.exceptions }, signal);
    if (!input.stop_on_entry) {
      await resume(debugging, entry, entry.stop.thread, 'continue', signal);
      entry = await settled(debugging, root, input.wait_ms, signal);
    }
  }
  const position = await positionOf(entry, input.max_output, signal);
  const beside = [root, ...others].filter((one) => one !== entry.root);
  const inTerminal = !isCompound(configuration) && configuration.console === 'integratedTerminal';
  return {
    ...position,
    terminal: inTerminal ? await terminalSince(terminals, asked, root, signal) : null,
    beside: beside.slice(0, 100).map(({ id, session, state }) => ({
      session: id,
      name: clipText(session.name),
      type: clipText(session.type),
      state,
    })),
  };
}

/** Resolves when VS Code has started the session, or all of a compound. An adapter that does not answer is stopped. */
async function begin(
  debugging: Debugging,
  configuration: vscode.DebugConfiguration | Compound,
  signal: AbortSignal,
): Promise<readonly [DebugEntry, ...DebugEntry[]]> {
  const before = new Set(debugging.all);
  const folder = vscode.workspace.workspaceFolders?.[0];
  const ours = () => debugging.all.filter((entry) => !before.has(entry) && entry.root === entry);
  const refuseAnyFailed = () => ours().forEach((root) => refuseFailed(root, debugging.tree(root)));
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
    const why = `${configuration.name}: the debug adapter did not begin within ${ms} ms (${messageOf(error)})`;
    throw toolError('debug-adapter-timeout', why, { cause: error, help: 'The session was ended' });
  }
  throw toolError('failed', `VS Code did not start ${configuration.name}`, {
    help: 'Look at what it says on the screen',
  });
}
