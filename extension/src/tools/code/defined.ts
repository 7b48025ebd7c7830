import type * as vscode from 'vscode';
import { asking } from './ask.ts';
import { outlineOf } from './outline.ts';
import { positionIn, type SymbolPlace } from './position.ts';

/**
 * As `positionIn`, but a symbol without a line is found where the file defines it: its first occurrence may be in a
 * comment. Errors: those of `positionIn`, `language-server-timeout`.
 * @param ms maximum milliseconds for the language server
 */
export async function definedIn(
  document: vscode.TextDocument,
  place: SymbolPlace,
  ms: number,
  signal: AbortSignal,
): Promise<vscode.Position> {
  const { line, column, symbol } = place;
  if (symbol === undefined || line !== undefined || column !== undefined) return positionIn(document, place);
  const outline = await asking(document, ms, signal, (how) => outlineOf(document.uri, how));
  const found = outline.find((one) => isNamed(one.symbol.name, lastName(symbol)));
  return found?.symbol.selectionRange.start ?? positionIn(document, place);
}

export function lastName(symbol: string): string {
  return symbol.split(/[.:]+/).at(-1) ?? symbol;
}

/** Servers name functions with parentheses or without. */
export function isNamed(name: string, wanted: string): boolean {
  return name === wanted || name === `${wanted}()`;
}
