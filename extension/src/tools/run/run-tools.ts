import { deadline, poll } from '../../../../bridge/lib/index.ts';
import { runTools, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { clipText } from '../../lib/index.ts';
import type { TerminalEntry, Terminals } from '../../state/index.ts';
import type { WindowFacts } from '../window-facts.ts';
import { addPythonTool } from './python-tool.ts';
import { addTaskTools } from './task-tools.ts';
import {
  awaitEnd,
  describeCommandResult,
  endCommand,
  findLastCommand,
  startCommand,
  type TerminalCommandResult,
} from './terminal-command.ts';
import { TerminalPool } from './terminal-pool.ts';
import { addTestTools } from './test-tools.ts';

/** Adds terminals, tasks, tests and Python. */
export function addRunTools(handlers: ToolHandlers, { watches }: WindowFacts): ToolHandlers {
  const { terminals, testRuns } = watches;
  const pool = new TerminalPool(terminals);
  addTerminalTools(handlers, terminals, pool);
  addTaskTools(handlers, terminals);
  addTestTools(handlers, { terminals, pool, testRuns });
  return addPythonTool(handlers);
}

type RunTerminalTools = typeof runTools;

/** Maximum time for a terminal to close, in milliseconds. */
const closeMs = 2000;

/** Adds commands in the IDE's terminals. */
function addTerminalTools(handlers: ToolHandlers, terminals: Terminals, pool: TerminalPool): ToolHandlers {
  return handlers
    .add(runTools.runTerminalCmd, (input, context) => runInTerminal(terminals, pool, input, context))
    .add(runTools.listTerminals, () => listTerminals(terminals))
    .add(runTools.readTerminal, (input, context) => readTerminal(pool, input, context))
    .add(runTools.sendToTerminal, (input, context) => sendToTerminal(terminals, pool, input, context))
    .add(runTools.stopTerminal, (input) => stopTerminal(pool, input));
}

async function runInTerminal(
  terminals: Terminals,
  pool: TerminalPool,
  input: ToolInput<RunTerminalTools['runTerminalCmd']>,
  { signal }: ToolContext,
): Promise<TerminalCommandResult> {
  const name = input.is_background ? `Agent: ${clip(input.command.trim(), 30)}` : undefined;
  using taken = await pool.take(input.terminal, name, signal);
  const { entry } = taken;
  const command = await startCommand(terminals, entry, input.command, signal);
  if (input.is_background) return describeCommandResult(entry, command, input.max_output);
  const ended = await awaitEnd(entry, command, input.timeout_ms, signal);
  return describeCommandResult(entry, command, input.max_output, ended ? {} : { status: 'timed-out' });
}

function listTerminals(terminals: Terminals): ToolOutput<RunTerminalTools['listTerminals']> {
  return {
    terminals: terminals.all.slice(-200).map(({ id, terminal, processId, closed, last }) => ({
      terminal: id,
      name: clipText(terminal.name),
      process: processId,
      cwd: terminal.shellIntegration?.cwd?.fsPath ?? null,
      closed,
      shell_integration: terminal.shellIntegration !== undefined,
      command: last ? clipText(last.line) : null,
      running: last?.running === true,
      exit_code: last?.exitCode ?? null,
    })),
  };
}

async function readTerminal(
  pool: TerminalPool,
  { terminal, wait_ms: ms, wait_for: text, max_output: max }: ToolInput<RunTerminalTools['readTerminal']>,
  { signal }: ToolContext,
): Promise<ToolOutput<RunTerminalTools['readTerminal']>> {
  const entry = pool.find(terminal);
  const command = findLastCommand(entry);
  if (ms > 0) {
    using limit = deadline('the command', ms, signal);
    await command.until(text, limit.signal).catch(() => signal.throwIfAborted());
  }
  const found = text === undefined ? null : command.output().text.includes(text);
  return { ...describeCommandResult(entry, command, max), found };
}

/** Whether it is a text, neither empty nor a key such as Ctrl+C. */
function isPlainText(text: string): boolean {
  return text.trim() !== '' && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text);
}

async function sendToTerminal(
  terminals: Terminals,
  pool: TerminalPool,
  { terminal, text, enter, wait_ms: ms, max_output: max }: ToolInput<RunTerminalTools['sendToTerminal']>,
  { signal }: ToolContext,
): Promise<TerminalCommandResult> {
  const entry = pool.findOpen(terminal);
  const last = findLastCommand(entry);
  const from = last.mark;
  // Text that is typed into an idle shell is a new command.
  const isCommand =
    !last.running && enter && isPlainText(text) && entry.terminal.shellIntegration !== undefined;
  const command = isCommand ? await startCommand(terminals, entry, text, signal) : last;
  if (!isCommand) entry.terminal.sendText(text, enter);
  using limit = deadline('the command', ms, signal);
  await command.until(undefined, limit.signal).catch(() => undefined);
  signal.throwIfAborted();
  return describeCommandResult(entry, command, max, command === last ? { from } : {});
}

/** VS Code reports a moment later that a terminal is gone. */
async function awaitTerminalClosed(entry: TerminalEntry): Promise<void> {
  entry.terminal.dispose();
  using limit = deadline('closing of the terminal', closeMs);
  const probe = () =>
    entry.closed ? ({ done: true, value: undefined } as const) : ({ done: false, saw: 'open' } as const);
  await poll('closing of the terminal', probe, { intervalMs: 20, signal: limit.signal }).catch(
    () => undefined,
  );
}

async function stopTerminal(
  pool: TerminalPool,
  { terminal, close, max_output: max }: ToolInput<RunTerminalTools['stopTerminal']>,
): Promise<ToolOutput<RunTerminalTools['stopTerminal']>> {
  const entry = pool.find(terminal);
  const command = findLastCommand(entry);
  const ran = command.running;
  const wasOpen = !entry.closed;
  if (ran) await endCommand(entry, command);
  if (close) await awaitTerminalClosed(entry);
  const result = describeCommandResult(entry, command, max, ran ? { status: 'stopped' } : {});
  return { ...result, closed: wasOpen && (close || entry.closed) };
}
