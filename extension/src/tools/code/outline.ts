import type * as vscode from 'vscode';
import { ask, type Asking } from './ask.ts';

/** A symbol of a file, and the one that it is part of. */
export interface Outlined {
  readonly symbol: vscode.DocumentSymbol;
  readonly parent: Outlined | undefined;
}

/** All symbols of a file, each after the one that it is part of. */
export async function outlineOf(uri: vscode.Uri, asking: Asking): Promise<Outlined[]> {
  const command = 'vscode.executeDocumentSymbolProvider';
  const symbols = (await ask<vscode.DocumentSymbol[] | undefined>(command, asking, uri)) ?? [];
  const flat = (symbol: vscode.DocumentSymbol, parent: Outlined | undefined): Outlined[] => {
    const one = { symbol, parent };
    return [one, ...(symbol.children ?? []).flatMap((child) => flat(child, one))];
  };
  // Older servers return a list, whose symbols have no ranges for their names.
  return symbols.filter((one) => 'children' in one).flatMap((one) => flat(one, undefined));
}
