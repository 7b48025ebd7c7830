import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { ask, asking, lineAt } from '../code/index.ts';

/** Maximum time for one question to a language server, in milliseconds. */
const answerMs = 30_000;

/** A part of a document in a caller's arguments; numbers count from 1. Errors: `bad-arguments`. */
export function rangeIn(
  document: vscode.TextDocument,
  given: {
    line: number;
    column?: number | undefined;
    end_line?: number | undefined;
    end_column?: number | undefined;
  },
): vscode.Range {
  const firstText = lineAt(document, given.line);
  const last = given.end_line ?? given.line;
  const lastText = lineAt(document, last);
  const end =
    given.end_column ??
    (given.column !== undefined && given.end_line === undefined ? given.column : lastText.length + 1);
  const column = given.column ?? 1;
  refuseColumn(given.line, column, firstText);
  refuseColumn(last, end, lastText);
  const start = new vscode.Position(given.line - 1, column - 1);
  const stop = new vscode.Position(last - 1, end - 1);
  if (stop.isBefore(start))
    throw toolError('bad-arguments', `the end ${last}:${end} is before the start ${given.line}:${column}`);
  return new vscode.Range(start, stop);
}

function refuseColumn(line: number, column: number, { length }: string): void {
  if (column <= length + 1) return;
  throw toolError('bad-arguments', `line ${line} has ${length} characters, no column ${column}`);
}

/** Asks the language server by one of VS Code's commands. Errors: `language-server-timeout`. */
export function askServer<T>(command: string, signal: AbortSignal, ...given: unknown[]): Promise<T> {
  return asking(undefined, answerMs, signal, (how) => ask<T>(command, how, ...given));
}
