import * as vscode from 'vscode';
import { deadline, raceSignal, clip } from '../../../../bridge/lib/index.ts';
import { toolError, type ToolOutput, type runTools } from '../../../../bridge/protocol/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import type { Command } from '../../state/index.ts';
import type { TerminalEntry, Terminals } from '../../state/index.ts';
import { integrationOf } from './pool.ts';
import { typedLine } from './quote.ts';

export type CommandResult = ToolOutput<typeof runTools.runTerminalCmd>;

/** A typed command starts within this many milliseconds: the shell was ready for it. */
const startMs = 15_000;
/** Maximum time for an interrupted command to end before its terminal is closed, in milliseconds. */
const interruptMs = 2000;

/** Types a command into a terminal. Resolves when the shell has started it. Errors: `no-shell-integration`. */
export async function startCommand(
  terminals: Terminals,
  entry: TerminalEntry,
  command: string,
  signal: AbortSignal,
): Promise<Command> {
  const { terminal } = entry;
  const integration = await integrationOf(terminal, signal);
  signal.throwIfAborted();
  using limit = deadline(`start of ${clip(command, 100)}`, startMs, signal);
  let listening: vscode.Disposable | undefined;
  const begun = new Promise<Command>((resolve) => {
    listening = vscode.window.onDidStartTerminalShellExecution((event) => {
      // Called after the listener of `Terminals`, which was added earlier.
      const { last } = terminals.of(terminal);
      if (event.terminal === terminal && last) resolve(last);
    });
  });
  try {
    terminals.execute(integration, typedLine(command));
    return await raceSignal(begun, limit.signal);
  } catch (error) {
    // It is typed already: the shell runs it although the caller has given up.
    using giveUp = deadline('start of an abandoned command', interruptMs);
    const late = await raceSignal(begun, giveUp.signal).catch(() => undefined);
    if (late) await endCommand(entry, late);
    else interrupt(terminal);
    throw error;
  } finally {
    listening?.dispose();
  }
}

/** Waits until a command is over. False if it was not over within `ms`, and was terminated. */
export async function awaitEnd(
  entry: TerminalEntry,
  command: Command,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  using limit = deadline('the command', ms, signal);
  try {
    await raceSignal(command.ended, limit.signal);
    return true;
  } catch {
    await endCommand(entry, command);
    signal.throwIfAborted();
    return false;
  }
}

/** Interrupts a command; closes its terminal if that does not end it. */
export async function endCommand({ terminal }: TerminalEntry, command: Command): Promise<void> {
  // Twice: many programs ask for it again, and one is lost between two children of a loop, when no process has the
  // terminal's foreground.
  for (let presses = 0; presses < 2; presses += 1) {
    interrupt(terminal);
    if (await endsSoon(command)) return;
  }
  terminal.dispose();
  await endsSoon(command);
}

async function endsSoon(command: Command): Promise<boolean> {
  using limit = deadline('end of the command', interruptMs);
  return await raceSignal(command.ended, limit.signal).then(
    () => true,
    () => false,
  );
}

function interrupt(terminal: vscode.Terminal): void {
  terminal.sendText('\u0003', false);
}

/** @param from the mark after which output is returned */
export function resultOf(
  { id, terminal }: TerminalEntry,
  command: Command,
  max: number,
  { status, from }: { status?: CommandResult['status']; from?: Command['mark'] } = {},
): CommandResult {
  const { text, omitted } = command.output(from);
  const clipped = clipMiddle(text, max);
  const plain = command.running
    ? 'running'
    : command.closed && command.exitCode === null
      ? 'stopped'
      : 'exited';
  return {
    terminal: id,
    command: clipText(command.line),
    status: status ?? plain,
    exit_code: command.exitCode,
    output: clipped.text,
    truncated: omitted + clipped.omitted > 0,
    cwd: terminal.shellIntegration?.cwd?.fsPath ?? null,
    duration_ms: command.ageMs,
  };
}

/** Errors: `not-found`. */
export function lastCommand(entry: TerminalEntry): Command {
  if (entry.last) return entry.last;
  throw toolError('not-found', `nothing is known of a command in terminal ${entry.id}`, {
    help: entry.terminal.shellIntegration ? 'Run one first' : 'Its shell does not report its commands',
  });
}
