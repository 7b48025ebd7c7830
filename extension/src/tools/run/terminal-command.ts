import * as vscode from 'vscode';
import { deadline, raceSignal } from '../../../../bridge/lib/index.ts';
import { type runTools, toolError, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import type { ShellCommand, TerminalEntry, Terminals } from '../../state/index.ts';
import { awaitShellIntegration } from './terminal-pool.ts';

export type TerminalCommandResult = ToolOutput<typeof runTools.runTerminalCmd>;

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
): Promise<ShellCommand> {
  const { terminal } = entry;
  const integration = await awaitShellIntegration(terminal, signal);
  signal.throwIfAborted();
  using limit = deadline(`start of ${clip(command, 100)}`, startMs, signal);
  let listening: vscode.Disposable | undefined;
  const begun = new Promise<ShellCommand>((resolve) => {
    listening = vscode.window.onDidStartTerminalShellExecution((event) => {
      // Called after the listener of `Terminals`, which was added earlier.
      const { last } = terminals.of(terminal);
      if (event.terminal === terminal && last) resolve(last);
    });
  });
  try {
    terminals.execute(integration, quoteTypedLine(command));
    return await raceSignal(begun, limit.signal);
  } catch (error) {
    // It is typed already: the shell runs it although the caller has given up.
    using giveUp = deadline('start of an abandoned command', interruptMs);
    const late = await raceSignal(begun, giveUp.signal).catch(() => undefined);
    if (late) await endCommand(entry, late);
    else interruptCommand(terminal);
    throw error;
  } finally {
    listening?.dispose();
  }
}

/** Waits until a command is over. False if it was not over within `ms`, and was terminated. */
export async function awaitEnd(
  entry: TerminalEntry,
  command: ShellCommand,
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
export async function endCommand({ terminal }: TerminalEntry, command: ShellCommand): Promise<void> {
  // Twice: many programs ask for it again, and one is lost between two children of a loop, when no process has the
  // terminal's foreground.
  for (let presses = 0; presses < 2; presses += 1) {
    interruptCommand(terminal);
    if (await endsSoon(command)) return;
  }
  terminal.dispose();
  await endsSoon(command);
}

async function endsSoon(command: ShellCommand): Promise<boolean> {
  using limit = deadline('end of the command', interruptMs);
  return await raceSignal(command.ended, limit.signal).then(
    () => true,
    () => false,
  );
}

function interruptCommand(terminal: vscode.Terminal): void {
  terminal.sendText('\u0003', false);
}

/** @param from the mark after which output is returned */
export function describeCommandResult(
  { id, terminal }: TerminalEntry,
  command: ShellCommand,
  max: number,
  { status, from }: { status?: TerminalCommandResult['status']; from?: ShellCommand['mark'] } = {},
): TerminalCommandResult {
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
export function findLastCommand(entry: TerminalEntry): ShellCommand {
  if (entry.last) return entry.last;
  throw toolError('not-found', `nothing is known of a command in terminal ${entry.id}`, {
    help: entry.terminal.shellIntegration ? 'Run one first' : 'Its shell does not report its commands',
  });
}

/**
 * A command as one line that an interactive bash runs unchanged. Commands go through `eval` if they have characters that
 * readline would act on (tabs, line ends), if history expansion would change them, or if the shell would wait for a
 * second line.
 */
function quoteTypedLine(command: string): string {
  return isPlainLine(command) ? command.trim() : `eval ${ansiQuoted(command)}`;
}

function isPlainLine(command: string): boolean {
  const text = command.trim();
  if (text === '' || text.startsWith('#') || text.endsWith('\\')) return false;
  if (/[\u0000-\u001f\u007f!`]|<</.test(text)) return false;
  // Shell integration does not report a subshell.
  if (/^[({]/.test(text)) return false;
  if (/\b(?:if|for|while|until|case|select|function)\b/.test(text)) return false;
  if (/(?:&&|\|\|?)$/.test(text)) return false;
  return (
    ['"', "'"].every((quote) => countMatches(text, quote) % 2 === 0) &&
    isBalanced(text, '()') &&
    isBalanced(text, '{}')
  );
}

function isBalanced(text: string, [open = '', close = '']: string): boolean {
  return countMatches(text, open) === countMatches(text, close);
}

function countMatches(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** In bash's `$'…'`, which may contain anything. */
function ansiQuoted(text: string): string {
  const escaped = text.replaceAll(/[\u0000-\u001f\u007f\\'!]/g, (character) => {
    if (character === '\n') return String.raw`\n`;
    if (character === '\\' || character === "'") return `\\${character}`;
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return `$'${escaped}'`;
}
