import * as vscode from 'vscode';
import { clip } from '../../../bridge/text/index.ts';

/** One line of a view, with the lines under it. */
export interface TreeRow {
  readonly label: string;
  /** Shown in a paler colour after the label. */
  readonly description?: string;
  /** The whole text, shown on hover. */
  readonly tooltip?: string;
  /** A codicon with its colour: `pass`, `error:testing.iconFailed`. */
  readonly icon?: string;
  readonly rows?: readonly TreeRow[];
  readonly open?: boolean;
  /** Distinguishes it from rows of the same name; with a new id, its earlier open or closed state is forgotten. */
  readonly id?: string;
  /** Opened by a click. */
  readonly place?: { readonly uri: string; readonly line?: number };
}

/** Longer lines are cut by VS Code, too, but only after it has laid them out. */
const longest = 300;

export function makeTreeItem(row: TreeRow): vscode.TreeItem {
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    flattenText(row.label),
    row.rows ? (row.open ? Expanded : Collapsed) : None,
  );
  if (row.id !== undefined) item.id = row.id;
  if (row.description !== undefined) item.description = flattenText(row.description);
  item.tooltip = row.tooltip ?? [row.label, row.description].filter(Boolean).join('  ');
  if (row.icon !== undefined) item.iconPath = parseIcon(row.icon);
  if (row.place) item.command = makeOpenCommand(row.place);
  return item;
}

function parseIcon(text: string): vscode.ThemeIcon {
  const [name = '', colour] = text.split(':');
  return new vscode.ThemeIcon(name, colour === undefined ? undefined : new vscode.ThemeColor(colour));
}

function makeOpenCommand({
  uri,
  line: at = 0,
}: {
  readonly uri: string;
  readonly line?: number;
}): vscode.Command {
  const selection = new vscode.Range(at, 0, at, 0);
  return { command: 'vscode.open', title: 'Open', arguments: [vscode.Uri.parse(uri), { selection }] };
}

function flattenText(text: string): string {
  const one = text.replaceAll(/\s+/g, ' ');
  return one.length > longest ? `${clip(one, longest)}…` : one.toWellFormed();
}
