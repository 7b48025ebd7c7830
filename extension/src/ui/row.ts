import * as vscode from 'vscode';
import { clip } from '../../../bridge/lib/index.ts';

/** One line of a view, with the lines under it. */
export interface Row {
  readonly label: string;
  /** Shown in a paler colour after the label. */
  readonly description?: string;
  /** The whole text, shown on hover. */
  readonly tooltip?: string;
  /** A codicon with its colour: `pass`, `error:testing.iconFailed`. */
  readonly icon?: string;
  readonly rows?: readonly Row[];
  readonly open?: boolean;
  /** Distinguishes it from rows of the same name; with a new id, its earlier open or closed state is forgotten. */
  readonly id?: string;
  /** Opened by a click. */
  readonly place?: { readonly uri: string; readonly line?: number };
}

/** Longer lines are cut by VS Code, too, but only after it has laid them out. */
const longest = 300;

export function treeItem(row: Row): vscode.TreeItem {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(line(row.label), row.rows ? (row.open ? Expanded : Collapsed) : None);
  if (row.id !== undefined) item.id = row.id;
  if (row.description !== undefined) item.description = line(row.description);
  item.tooltip = row.tooltip ?? [row.label, row.description].filter(Boolean).join('  ');
  if (row.icon !== undefined) item.iconPath = iconOf(row.icon);
  if (row.place) item.command = opening(row.place);
  return item;
}

function iconOf(text: string): vscode.ThemeIcon {
  const [name = '', colour] = text.split(':');
  return new vscode.ThemeIcon(name, colour === undefined ? undefined : new vscode.ThemeColor(colour));
}

function opening({ uri, line: at = 0 }: { readonly uri: string; readonly line?: number }): vscode.Command {
  const selection = new vscode.Range(at, 0, at, 0);
  return { command: 'vscode.open', title: 'Open', arguments: [vscode.Uri.parse(uri), { selection }] };
}

function line(text: string): string {
  const one = text.replaceAll(/\s+/g, ' ');
  return one.length > longest ? `${clip(one, longest)}…` : one.toWellFormed();
}
