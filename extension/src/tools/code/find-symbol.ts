import * as vscode from 'vscode';
import { toolError } from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { awaitReload, readFileBytes } from '../file-text.ts';
import { formatPath, resolvePlace } from '../workspace-place.ts';
import { fetchOutline, withReadyServer } from './ask-server.ts';

/**
 * Opens a document so that its language server learns of it. If VS Code already has it in memory, it then has the text of
 * its file, or unsaved changes. Errors: those of `place`, `readFileBytes` and `awaitReload`.
 */
export async function openCodeDocument(path: string): Promise<vscode.TextDocument> {
  const where = await resolvePlace(path);
  const known = vscode.workspace.textDocuments.find(
    ({ uri, isClosed }) => !isClosed && uri.fsPath === where.path,
  );
  if (known?.isDirty === true) return known;
  await readFileBytes(where.real, formatPath(where.path));
  if (known) {
    await awaitReload(known);
    return known;
  }
  try {
    return await vscode.workspace.openTextDocument(where.uri);
  } catch (cause) {
    throw toolError('binary-file', `${formatPath(where.path)} is not text to VS Code`, { cause });
  }
}

/**
 * As `findPosition`, but a symbol without a line is found where the file defines it: its first occurrence may be in a
 * comment. Errors: those of `findPosition`, `language-server-timeout`.
 * @param ms maximum milliseconds for the language server
 */
export async function findDefinedSymbol(
  document: vscode.TextDocument,
  place: SymbolPlace,
  ms: number,
  signal: AbortSignal,
): Promise<vscode.Position> {
  const { line, column, symbol } = place;
  if (symbol === undefined || line !== undefined || column !== undefined)
    return findPosition(document, place);
  const outline = await withReadyServer(document, ms, signal, (how) => fetchOutline(document.uri, how));
  const found = outline.find((one) => isSymbolNamed(one.symbol.name, lastName(symbol)));
  return found?.symbol.selectionRange.start ?? findPosition(document, place);
}

export function lastName(symbol: string): string {
  return symbol.split(/[.:]+/).at(-1) ?? symbol;
}

/** Servers name functions with parentheses or without. */
export function isSymbolNamed(name: string, wanted: string): boolean {
  return name === wanted || name === `${wanted}()`;
}

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
export function findPosition(document: vscode.TextDocument, place: SymbolPlace): vscode.Position {
  const { line, column, symbol } = place;
  if (symbol === undefined) return findAtColumn(document, line, column);
  if (line === undefined) return findInText(document, symbol);
  const text = readDocumentLine(document, line);
  const found = findInLine(text, symbol, (column ?? 1) - 1);
  if (found !== undefined) return new vscode.Position(line - 1, found);
  const where = `line ${line} of ${formatPath(document.uri.fsPath)}`;
  throw toolError('not-found', `${symbol} is not in ${where}: ${clip(text.trim(), 200)}`, {
    help: 'Read the file again: lines may have moved',
  });
}

/** The text of a line, which counts from 1. Errors: `bad-arguments`. */
export function readDocumentLine(document: vscode.TextDocument, line: number): string {
  if (line <= document.lineCount) return document.lineAt(line - 1).text;
  const name = formatPath(document.uri.fsPath);
  throw toolError('bad-arguments', `${name} has ${document.lineCount} lines, no line ${line}`, {
    help: 'Read the file again',
  });
}

function findAtColumn(
  document: vscode.TextDocument,
  line: number | undefined,
  column: number | undefined,
): vscode.Position {
  if (column === undefined) throw toolError('bad-arguments', 'give the column or the symbol');
  if (line === undefined) throw toolError('bad-arguments', 'a column needs a line');
  const { length } = readDocumentLine(document, line);
  if (column <= length + 1) return new vscode.Position(line - 1, column - 1);
  throw toolError('bad-arguments', `line ${line} has ${length} characters, no column ${column}`);
}

function findInText(document: vscode.TextDocument, symbol: string): vscode.Position {
  for (let line = 0; line < document.lineCount; line += 1) {
    const found = findInLine(document.lineAt(line).text, symbol, 0);
    if (found !== undefined) return new vscode.Position(line, found);
  }
  throw toolError('not-found', `${symbol} is not in ${formatPath(document.uri.fsPath)}`, {
    help: 'Read the file again',
  });
}

/** As a whole word, not as a part of another. */
function findInLine(text: string, symbol: string, from: number): number | undefined {
  const inside = Math.max(symbol.lastIndexOf('.') + 1, symbol.lastIndexOf(':') + 1);
  for (let at = text.indexOf(symbol, from); at >= 0; at = text.indexOf(symbol, at + 1)) {
    const isPart = joinsWord(text[at - 1], symbol[0]) || joinsWord(symbol.at(-1), text[at + symbol.length]);
    if (!isPart) return at + inside;
  }
  return undefined;
}

function joinsWord(left = '', right = ''): boolean {
  const part = /[\p{L}\p{N}_$]/u;
  return part.test(left) && part.test(right);
}
