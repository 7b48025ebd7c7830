import * as vscode from 'vscode';
import { deadline, messageOf, raceSignal } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText, place } from '../place/index.ts';

/** What a language server may take for one question, in milliseconds. */
const answerMs = 30_000;

/** A text file of the workspace. Errors: those of `place`; `not-found` for what VS Code does not open as text. */
export async function documentAt(path: string): Promise<vscode.TextDocument> {
  const where = await place(path);
  try {
    return await vscode.workspace.openTextDocument(where.uri);
  } catch (cause) {
    throw toolError('not-found', `there is no text file ${pathText(where.path)}`, { cause });
  }
}

export interface SymbolPlace {
  readonly line: number;
  readonly symbol?: string | undefined;
  readonly column?: number | undefined;
}

/** Where a symbol stands. Errors: `bad-arguments`, `no-match`. */
export function positionIn(
  document: vscode.TextDocument,
  { line, symbol, column }: SymbolPlace,
): vscode.Position {
  const text = lineOf(document, line);
  if (symbol === undefined && column === undefined)
    throw toolError('bad-arguments', 'give the symbol or the column');
  const from = column === undefined ? 0 : column - 1;
  if (symbol === undefined) return new vscode.Position(line - 1, Math.min(from, text.length));
  const at = wholeWord(text, symbol, from);
  if (at >= 0) return new vscode.Position(line - 1, at);
  throw toolError(
    'no-match',
    `line ${line} of ${pathText(document.uri.fsPath)} has no ${symbol}: ${text.trim()}`,
    {
      help: 'Read the file again: lines may have moved',
    },
  );
}

export function rangeIn(
  document: vscode.TextDocument,
  given: {
    line: number;
    column?: number | undefined;
    end_line?: number | undefined;
    end_column?: number | undefined;
  },
): vscode.Range {
  lineOf(document, given.line);
  const last = given.end_line ?? given.line;
  const lastText = lineOf(document, last);
  const end =
    given.end_column ??
    (given.column !== undefined && given.end_line === undefined ? given.column : lastText.length + 1);
  return new vscode.Range(given.line - 1, (given.column ?? 1) - 1, last - 1, end - 1);
}

/** Asks the language server by one of VS Code's commands. Errors: `language-server-timeout`. */
export async function ask<T>(command: string, signal: AbortSignal, ...given: unknown[]): Promise<T> {
  using limit = deadline(command, answerMs, signal);
  try {
    return await raceSignal(
      Promise.resolve(vscode.commands.executeCommand<T>(command, ...given)),
      limit.signal,
    );
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.signal.aborted) throw error;
    throw toolError('language-server-timeout', `the language server did not answer within ${answerMs} ms`, {
      cause: error,
      help: `Try again, or restart it (${messageOf(error)})`,
    });
  }
}

function lineOf(document: vscode.TextDocument, line: number): string {
  if (line <= document.lineCount) return document.lineAt(line - 1).text;
  const name = pathText(document.uri.fsPath);
  throw toolError('bad-arguments', `${name} has ${document.lineCount} lines, not ${line}`, {
    help: 'Read the file again',
  });
}

function wholeWord(text: string, word: string, from: number): number {
  const part = /[\p{L}\p{N}_$]/u;
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1)) {
    const [left = '', right = ''] = [text[at - 1], text[at + word.length]];
    const joined =
      (part.test(left) && part.test(word[0] ?? '')) || (part.test(right) && part.test(word.at(-1) ?? ''));
    if (!joined) return at;
  }
  return -1;
}
