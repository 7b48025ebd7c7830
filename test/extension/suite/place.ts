import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './client.ts';

/** A file of the folder that the run opened, e.g. `fileIn('app', 'bad.ts')`. */
export function fileIn(folder: string, name: string): vscode.Uri {
  const found = vscode.workspace.workspaceFolders?.find((one) => one.name === folder);
  assert.ok(found, `the window shows the folder ${folder}`);
  return vscode.Uri.joinPath(found.uri, name);
}

export async function open(
  uri: vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(uri, { preview: false, ...options });
}

/** Leaves no tab and no unsaved change behind. */
export async function closeAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  // The command answers before its groups are gone; an editor opened in one of them meanwhile is lost.
  const groups = () => Promise.resolve(vscode.window.tabGroups.all.map(({ tabs }) => tabs.length));
  await eventually('one empty group', groups, (counts) => counts.length === 1 && counts[0] === 0);
}
