import { sep } from 'node:path';
import * as vscode from 'vscode';

/**
 * Shows the new file in the tabs of a file that was moved, or of files in a moved folder. They have no unsaved changes.
 */
export async function followRename(from: string, to: string): Promise<void> {
  for (const group of vscode.window.tabGroups.all) {
    for (const tab of group.tabs) {
      const path = tab.input instanceof vscode.TabInputText ? tab.input.uri.fsPath : undefined;
      if (path === undefined || (path !== from && !path.startsWith(from + sep))) continue;
      const uri = vscode.Uri.file(to + path.slice(from.length));
      const { viewColumn } = group;
      const { isActive, isPreview } = tab;
      await vscode.window.showTextDocument(uri, { viewColumn, preview: isPreview, preserveFocus: !isActive });
      await vscode.window.tabGroups.close(tab, true);
    }
  }
}
