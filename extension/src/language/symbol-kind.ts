import * as vscode from 'vscode';

/** `Class` becomes class, `EnumMember` enum member. */
export function kindName(kind: vscode.SymbolKind): string {
  const name = (vscode.SymbolKind as Readonly<Record<number, string | undefined>>)[kind] ?? 'symbol';
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
