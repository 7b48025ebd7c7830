import { deadline } from '../../../../bridge/lib/index.ts';
import { runTools, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { clipText } from '../../lib/index.ts';
import type { Terminals } from '../../state/index.ts';
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

/** Adds commands in the IDE's terminals. */
export function addTerminals(handlers: ToolHandlers, terminals: Terminals, pool: TerminalPool): ToolHandlers {
  return handlers
    .add(runTools.runTerminalCmd, (input, context) => run(terminals, pool, input, context))
    .add(runTools.listTerminals, () => list(terminals))
    .add(runTools.readTerminal, (input, context) => read(pool, input, context))
    .add(runTools.sendToTerminal, (input, context) => send(pool, input, context))
    .add(runTools.stopTerminal, (input) => stop(pool, input));
}

async function run(
  terminals: Terminals,
  pool: TerminalPool,
  input: ToolInput<Run['runTerminalCmd']>,
  { signal }: ToolContext,
): Promise<CommandResult> {
  const name = input.is_background ? `Agent: ${input.command.trim().slice(0, 30)}` : undefined;
  using taken = pool.take(input.terminal, name);
  const { entry } = taken;
  entry.terminal.show(true);
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
): Promise<CommandResult> {
  const entry = pool.find(terminal);
  const command = lastCommand(entry);
  if (ms > 0) {
    using limit = deadline('the command', ms, signal);
    const seen = (output: string) => text !== undefined && output.includes(text);
    await command.until(seen, limit.signal).catch(() => signal.throwIfAborted());
  }
  return resultOf(entry, command, max);
}

async function send(
  pool: TerminalPool,
  { terminal, text, enter, wait_ms: ms, max_output: max }: ToolInput<Run['sendToTerminal']>,
  { signal }: ToolContext,
): Promise<CommandResult> {
  const entry = pool.find(terminal);
  const command = lastCommand(entry);
  const from = command.written;
  entry.terminal.sendText(text, enter);
  using limit = deadline('the command', ms, signal);
  await command.until(() => false, limit.signal).catch(() => signal.throwIfAborted());
  return resultOf(entry, command, max, { from });
}

async function stop(
  pool: TerminalPool,
  { terminal, close, max_output: max }: ToolInput<Run['stopTerminal']>,
): Promise<CommandResult> {
  const entry = pool.find(terminal);
  const command = lastCommand(entry);
  const ran = command.running;
  if (ran) await endCommand(entry, command);
  if (close) entry.terminal.dispose();
  return resultOf(entry, command, max, ran ? { status: 'stopped' } : {});
}
