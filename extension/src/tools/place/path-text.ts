import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';

/** A path in a tool's result: relative to the first workspace folder if it is inside it, else absolute. */
export function pathText(path: string): string {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (first?.scheme !== 'file') return path;
  const inside = relative(first.fsPath, path);
  if (inside === '') return '.';
  const leaves = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  return leaves ? path : inside.split(sep).join('/');
}
