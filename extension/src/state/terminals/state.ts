import * as vscode from 'vscode';
import type {
  ParamsOut,
  ResultOf,
  Terminal,
  TerminalCommand,
  ide,
} from '../../../../bridge/protocol/index.ts';
import { clipMiddle, clipText } from '../../lib/index.ts';
import type { Command } from './command.ts';
import type { TerminalEntry, Terminals } from './terminals.ts';

const most = 100;

/** Answers `ide.terminals`. */
export function terminalState(
  terminals: Terminals,
  { maxChars }: ParamsOut<typeof ide.terminals>,
): ResultOf<typeof ide.terminals> {
  const open = terminals.all.filter(({ closed }) => !closed);
  return {
    terminals: open.slice(-most).map((entry) => describe(entry, maxChars)),
    omitted: Math.max(0, open.length - most),
  };
}

function describe({ id, terminal, processId, last }: TerminalEntry, maxChars: number): Terminal {
  return {
    id,
    name: clipText(terminal.name),
    processId,
    cwd: terminal.shellIntegration?.cwd?.fsPath ?? null,
    active: vscode.window.activeTerminal === terminal,
    shellIntegration: terminal.shellIntegration !== undefined,
    lastCommand: last ? describeCommand(last, maxChars) : null,
  };
}

function describeCommand(command: Command, maxChars: number): TerminalCommand {
  const { text, omitted } = command.output();
  const clipped = clipMiddle(text, maxChars);
  return {
    line: clipText(command.line),
    running: command.running,
    exitCode: command.exitCode,
    ageMs: command.ageMs,
    output: clipped.text,
    omitted: omitted + clipped.omitted,
  };
}
