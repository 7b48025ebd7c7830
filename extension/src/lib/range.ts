import type * as vscode from 'vscode';

/** Plain data: VS Code's own positions carry methods and would not survive the wire. */
export function plainPosition({ line, character }: vscode.Position): { line: number; character: number } {
  return { line, character };
}

export function plainRange({ start, end }: vscode.Range) {
  return { start: plainPosition(start), end: plainPosition(end) };
}
