import * as vscode from 'vscode';
import { toolError } from '../../../../../bridge/protocol/index.ts';
import {
  ask,
  asking,
  definedIn,
  documentAt,
  isNamed,
  lastName,
  positionIn,
  type SymbolPlace,
} from '../../code/index.ts';
import { pathText } from '../../place/index.ts';
import { waker } from './waker.ts';

/** A symbol in a caller's arguments. A column is sufficient: a name beside it is not searched for. */
export interface Named extends SymbolPlace {
  readonly path: string;
}

export interface Found {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

interface NamedFunction extends SymbolPlace {
  readonly path?: string | undefined;
  readonly timeout_ms: number;
}

/** Finds the symbol of a caller's arguments. Errors: those of `documentAt` and `definedIn`. */
export async function positionAt(
  { path, line, column, symbol }: Named,
  ms: number,
  signal: AbortSignal,
): Promise<Found> {
  const document = await documentAt(path);
  const place = column === undefined ? { line, symbol } : { line, column };
  return { document, position: await definedIn(document, place, ms, signal) };
}

/**
 * Finds a function by its name alone, in a file or in the workspace. Errors: those of `positionAt`; `bad-arguments`, `not-found`,
 * `ambiguous-match`.
 */
export async function functionAt(input: NamedFunction, signal: AbortSignal): Promise<Found> {
  const { path, line, column, symbol, timeout_ms: ms } = input;
  if (path === undefined) return functionIn(symbol, { line, column, ms }, signal);
  return positionAt({ path, line, column, symbol }, ms, signal);
}

async function functionIn(
  symbol: string | undefined,
  { line, column, ms }: { line: number | undefined; column: number | undefined; ms: number },
  signal: AbortSignal,
): Promise<Found> {
  if (symbol === undefined || line !== undefined || column !== undefined)
    throw toolError('bad-arguments', 'give the path, or the symbol alone');
  const command = 'vscode.executeWorkspaceSymbolProvider';
  const wanted = lastName(symbol);
  const answer = await asking(await waker(), ms, signal, (how) =>
    ask<readonly vscode.SymbolInformation[] | undefined>(command, how, wanted),
  );
  const found = (answer ?? []).filter(({ name, kind }) => kinds.includes(kind) && isNamed(name, wanted));
  const [only] = found;
  if (!only)
    throw toolError('not-found', `no function of the workspace is called ${symbol}`, {
      help: 'Give its path, or look for it with grep_search',
    });
  if (found.length > 1) {
    const places = found.slice(0, 10).map(({ location: { uri, range } }) => {
      return `${pathText(uri.fsPath)}:${range.start.line + 1}`;
    });
    throw toolError(
      'ambiguous-match',
      `${found.length} functions are called ${symbol}: ${places.join(', ')}`,
      {
        help: 'Give the path',
      },
    );
  }
  const { uri, range } = only.location;
  const document = await documentAt(uri.fsPath);
  return { document, position: positionIn(document, { line: range.start.line + 1, symbol: wanted }) };
}

const kinds: readonly vscode.SymbolKind[] = [
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Class,
];
