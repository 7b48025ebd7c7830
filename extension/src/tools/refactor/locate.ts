import * as vscode from 'vscode';
import { ask, asking, lineAt } from '../code/index.ts';

/** What a language server may take for one question, in milliseconds. */
const answerMs = 30_000;

/** A part of a document as a caller names it; numbers count from 1. Errors: `bad-arguments`. */
export function rangeIn(
  document: vscode.TextDocument,
  given: {
    line: number;
    column?: number | undefined;
    end_line?: number | undefined;
    end_column?: number | undefined;
  },
): vscode.Range {
  lineAt(document, given.line);
  const last = given.end_line ?? given.line;
  const lastText = lineAt(document, last);
  const end =
    given.end_column ??
    (given.column !== undefined && given.end_line === undefined ? given.column : lastText.length + 1);
  return new vscode.Range(given.line - 1, (given.column ?? 1) - 1, last - 1, end - 1);
}

/** Asks the language server by one of VS Code's commands. Errors: `language-server-timeout`. */
export function askServer<T>(command: string, signal: AbortSignal, ...given: unknown[]): Promise<T> {
  return asking(undefined, answerMs, signal, (how) => ask<T>(command, how, ...given));
}
