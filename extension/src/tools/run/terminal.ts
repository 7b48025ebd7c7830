import { deadline, poll, clip } from '../../../../bridge/lib/index.ts';
import { runTools, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import type { TerminalEntry, Terminals } from '../../state/index.ts';
import type { TerminalPool } from './pool.ts';
import {
  awaitEnd,
  endCommand,
  lastCommand,
  resultOf,
  startCommand,
  type CommandResult,
} from './terminal-run.ts';

type Run = typeof runTools;

/** Maximum time for a terminal to close, in milliseconds. */
const closeMs = 2000;

/** Adds commands in the IDE's terminals. */
export function addTerminals(handlers: ToolHandlers, terminals: Terminals, pool: TerminalPool): ToolHandlers {
  return handlers
    .add(runTools.runTerminalCmd, (input, context) => run(terminals, pool, input, context))
    .add(runTools.listTerminals, () => list(terminals))
    .add(runTools.readTerminal, (input, context) => read(pool, input, context))
    .add(runTools.sendToTerminal, (input, context) => send(terminals, pool, input, context))
    .add(runTools.stopTerminal, (input) => stop(pool, input));
}

async function run(
  terminals: Terminals,
  pool: TerminalPool,
  input: ToolInput<Run['runTerminalCmd']>,
  { signal }: ToolContext,
): Promise<CommandResult> {
  const name = input.is_background ? `Agent: ${clip(input.command.trim(), 30)}` : undefined;
  using taken = await pool.take(input.terminal, name, signal);
  const { entry } = taken;
  const command = await startCommand(terminals, entry, input.command, signal);
  if (input.is_background) return resultOf(entry, command, input.max_output);
  const ended = await awaitEnd(entry, command, input.timeout_ms, signal);
  return resultOf(entry, command, input.max_output, ended ? {} : { status: 'timed-out' });
}

function list(terminals: Terminals): ToolOutput<Run['listTerminals']> {
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

async function read(
  pool: TerminalPool,
  { terminal, wait_ms: ms, wait_for: text, max_output: max }: ToolInput<Run['readTerminal']>,
  { signal }: ToolContext,
): Promise<ToolOutput<Run['readTerminal']>> {
  const entry = pool.find(terminal);
  const command = lastCommand(entry);
  if (ms > 0) {
    using limit = deadline('the command', ms, signal);
    await command.until(text, limit.signal).catch(() => signal.throwIfAborted());
  }
  const found = text === undefined ? null : command.output().text.includes(text);
  return { ...resultOf(entry, command, max), found };
}

/** Whether it is a text, neither empty nor a key such as Ctrl+C. */
function isPlain(text: string): boolean {
  return text.trim() !== '' && !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text);
}

async function send(
  terminals: Terminals,
  pool: TerminalPool,
  { terminal, text, enter, wait_ms: ms, max_output: max }: ToolInput<Run['sendToTerminal']>,
  { signal }: ToolContext,
): Promise<CommandResult> {
  const entry = pool.findOpen(terminal);
  const last = lastCommand(entry);
  const from = last.mark;
  // Text that is typed into an idle shell is a new command.
  const isCommand = !last.running && enter && isPlain(text) && entry.terminal.shellIntegration !== undefined;
  const command = isCommand ? await startCommand(terminals, entry, text, signal) : last;
  if (!isCommand) entry.terminal.sendText(text, enter);
  using limit = deadline('the command', ms, signal);
  await command.until(undefined, limit.signal).catch(() => undefined);
  signal.throwIfAborted();
  return resultOf(entry, command, max, command === last ? { from } : {});
}

/** VS Code reports a moment later that a terminal is gone. */
async function closed(entry: TerminalEntry): Promise<void> {
  entry.terminal.dispose();
  using limit = deadline('closing of the terminal', closeMs);
  const probe = () =>
    entry.closed ? ({ done: true, value: undefined } as const) : ({ done: false, saw: 'open' } as const);
  await poll('closing of the terminal', probe, { intervalMs: 20, signal: limit.signal }).catch(
    () => undefined,
  );
}

async function stop(
  pool: TerminalPool,
  { terminal, close, max_output: max }: ToolInput<Run['stopTerminal']>,
): Promise<ToolOutput<Run['stopTerminal']>> {
  const entry = pool.find(terminal);
  const command = lastCommand(entry);
  const ran = command.running;
  const wasOpen = !entry.closed;
  if (ran) await endCommand(entry, command);
  if (close) await closed(entry);
  const result = resultOf(entry, command, max, ran ? { status: 'stopped' } : {});
  return { ...result, closed: wasOpen && (close || entry.closed) };
}
