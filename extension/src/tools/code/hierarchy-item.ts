import type * as vscode from 'vscode';

/** The common fields of items of call and type hierarchies. */
export type Item = vscode.CallHierarchyItem | vscode.TypeHierarchyItem;

/** An item of the next level, with the lines of the calls. */
export interface Next {
  readonly item: Item;
  readonly calls: readonly number[];
}
