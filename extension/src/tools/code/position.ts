import * as vscode from 'vscode';
import { clip } from '../../../../bridge/lib/index.ts';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { pathText } from '../place/index.ts';

/** A place in code in a caller's arguments; numbers count from 1. */
export interface SymbolPlace {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly symbol?: string | undefined;
}

/**
 * Where a symbol is: at the column, or the first whole word of that name in the line (from the column on, if both are
 * given), or in the text. `a.b` means its last name. Errors: `bad-arguments`, `not-found`.
 */
export function positionIn(document: vscode.TextDocument, place: SymbolPlace): vscode.Position {
  const { line, column, symbol } = place;
  if (symbol === undefined) return atColumn(document, line, column);
  if (line === undefined) return inText(document, symbol);
  const text = lineAt(document, line);
  const found = inLine(text, symbol, (column ?? 1) - 1);
  if (found !== undefined) return new vscode.Position(line - 1, found);
  const where = `line ${line} of ${pathText(document.uri.fsPath)}`;
  throw toolError('not-found', `${symbol} is not in ${where}: ${clip(text.trim(), 200)}`, {
    help: 'Read the file again: lines may have moved',
  });
}

/** The text of a line, which counts from 1. Errors: `bad-arguments`. */
export function lineAt(document: vscode.TextDocument, line: number): string {
  if (line <= document.lineCount) return document.lineAt(line - 1).text;
  const name = pathText(document.uri.fsPath);
  throw toolError('bad-arguments', `${name} has ${document.lineCount} lines, no line ${line}`, {
    help: 'Read the file again',
  });
}

function atColumn(
  document: vscode.TextDocument,
  line: number | undefined,
  column: number | undefined,
): vscode.Position {
  if (column === undefined) throw toolError('bad-arguments', 'give the column or the symbol');
  if (line === undefined) throw toolError('bad-arguments', 'a column needs a line');
  const { length } = lineAt(document, line);
  if (column <= length + 1) return new vscode.Position(line - 1, column - 1);
  throw toolError('bad-arguments', `line ${line} has ${length} characters, no column ${column}`);
}

function inText(document: vscode.TextDocument, symbol: string): vscode.Position {
  for (let line = 0; line < document.lineCount; line += 1) {
    const found = inLine(document.lineAt(line).text, symbol, 0);
    if (found !== undefined) return new vscode.Position(line, found);
  }
  throw toolError('not-found', `${symbol} is not in ${pathText(document.uri.fsPath)}`, {
    help: 'Read the file again',
  });
}

/** As a whole word, not as a part of another. */
function inLine(text: string, symbol: string, from: number): number | undefined {
  const inside = Math.max(symbol.lastIndexOf('.') + 1, symbol.lastIndexOf(':') + 1);
  for (let at = text.indexOf(symbol, from); at >= 0; at = text.indexOf(symbol, at + 1)) {
    const isPart = joins(text[at - 1], symbol[0]) || joins(symbol.at(-1), text[at + symbol.length]);
    if (!isPart) return at + inside;
  }
  return undefined;
}

function joins(left = '', right = ''): boolean {
  const part = /[\p{L}\p{N}_$]/u;
  return part.test(left) && part.test(right);
}
