import * as vscode from 'vscode';
import { toolError } from '../../../../../bridge/protocol/index.ts';
import { pathText, place } from '../../place/index.ts';
import { readBytes } from '../../text/index.ts';

/** A place in code as a caller names it; numbers count from 1. */
export interface Named {
  readonly path: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly symbol?: string | undefined;
}

export interface Found {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

/** Opens a document so that its language server gets to know of it. Errors: those of `place` and `readBytes`. */
export async function documentAt(path: string): Promise<vscode.TextDocument> {
  const where = await place(path);
  const known = vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && uri.fsPath === where.path,
  );
  if (known) return known;
  await readBytes(where.real, pathText(where.path));
  try {
    return await vscode.workspace.openTextDocument(where.uri);
  } catch (cause) {
    throw toolError('binary-file', `${pathText(where.path)} is not text to VS Code`, { cause });
  }
}

/** Finds what a caller means. Errors: `bad-arguments`; `not-found` where the symbol does not stand there. */
export async function positionAt(named: Named): Promise<Found> {
  const document = await documentAt(named.path);
  const { line, column, symbol } = named;
  if (line !== undefined && line > document.lineCount)
    throw toolError('bad-arguments', `${named.path} has ${document.lineCount} lines, no line ${line}`);
  if (column !== undefined) return { document, position: atColumn(document, line, column) };
  if (symbol === undefined)
    throw toolError('bad-arguments', 'give the column, or the symbol that stands there');
  const found = line === undefined ? inText(document, symbol) : inLine(document, line - 1, symbol);
  if (found) return { document, position: found };
  const where = line === undefined ? named.path : `line ${line} of ${named.path}`;
  throw toolError('not-found', `${symbol} does not stand in ${where}`, { help: 'Read the lines again' });
}

function atColumn(document: vscode.TextDocument, line: number | undefined, column: number): vscode.Position {
  if (line === undefined) throw toolError('bad-arguments', 'a column needs a line');
  const { length } = document.lineAt(line - 1).text;
  if (column <= length + 1) return new vscode.Position(line - 1, column - 1);
  throw toolError('bad-arguments', `line ${line} has ${length} characters, no column ${column}`);
}

function inText(document: vscode.TextDocument, symbol: string): vscode.Position | undefined {
  for (let line = 0; line < document.lineCount; line += 1) {
    const found = inLine(document, line, symbol);
    if (found) return found;
  }
  return undefined;
}

/** As a word of its own before as a part of another. Of `a.b`, the last name is meant. */
function inLine(document: vscode.TextDocument, line: number, symbol: string): vscode.Position | undefined {
  const { text } = document.lineAt(line);
  const isWord = (at: number) =>
    !/[\p{L}\p{N}_$]/u.test((text[at - 1] ?? ' ') + (text[at + symbol.length] ?? ' '));
  const inside = Math.max(symbol.lastIndexOf('.') + 1, symbol.lastIndexOf(':') + 1);
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + 1)) {
    if (isWord(at)) return new vscode.Position(line, at + inside);
  }
  return undefined;
}
