import * as vscode from 'vscode';

/** A place in TypeScript's own protocol: both numbers count from 1. */
interface TsPlace {
  readonly line: number;
  readonly offset: number;
}

interface TsSpan {
  readonly start: TsPlace;
  readonly end: TsPlace;
}

/** TypeScript's changes of one file. */
export interface FileCodeEdits {
  readonly fileName: string;
  readonly textChanges: readonly (TsSpan & { readonly newText: string })[];
}

/** Part of TypeScript's outline of a file. */
export interface NavigationItem {
  readonly text: string;
  readonly spans: readonly TsSpan[];
  readonly nameSpan?: TsSpan;
  readonly childItems?: readonly NavigationItem[];
}

export function editsIn(files: readonly FileCodeEdits[]): [vscode.Uri, vscode.TextEdit[]][] {
  return files.map(({ fileName, textChanges }) => [
    vscode.Uri.file(fileName),
    textChanges.map(({ start, end, newText }) => {
      const place = ({ line, offset }: TsPlace) =>
        new vscode.Position(Math.max(0, line - 1), Math.max(0, offset - 1));
      return vscode.TextEdit.replace(new vscode.Range(place(start), place(end)), newText);
    }),
  ]);
}

/** The top-level item whose name is at a position. */
export function itemAt(tree: NavigationItem, line: number, offset: number): NavigationItem | undefined {
  return tree.childItems?.find(({ nameSpan }) => {
    if (!nameSpan || nameSpan.start.line !== line) return false;
    return nameSpan.start.offset <= offset && offset <= nameSpan.end.offset;
  });
}
