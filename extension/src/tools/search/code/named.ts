import type * as vscode from 'vscode';
import { documentAt, positionIn, type SymbolPlace } from '../../code/index.ts';

/** A symbol as a caller names it. A column says all: the name beside it is not looked for. */
export interface Named extends SymbolPlace {
  readonly path: string;
}

export interface Found {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
}

/** Finds what a caller means. Errors: those of `documentAt` and `positionIn`. */
export async function positionAt({ path, line, column, symbol }: Named): Promise<Found> {
  const document = await documentAt(path);
  return {
    document,
    position: positionIn(document, column === undefined ? { line, symbol } : { line, column }),
  };
}
