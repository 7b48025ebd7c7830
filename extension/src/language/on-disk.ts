import * as vscode from 'vscode';
import { layeredEndings, notifyLayered } from './layered.ts';
import { notifyPython, type DiskChange } from './python.ts';
import { notifyTypeScript } from './typescript.ts';

/**
 * Notifies language servers of what a tool has done on disk, so that their next answer takes it into account: VS Code's
 * own watcher notifies them a moment later.
 */
export async function notifyServers(uri: vscode.Uri, change: DiskChange): Promise<void> {
  notifyTypeScript(uri);
  await Promise.all([notifyPython(uri, change), notifyLayered(uri, change)]);
}

/** Beyond these, what is in a folder is left to VS Code's watcher. */
const mostModules = 2000;

/**
 * What has to be reported when a folder is added or removed: itself, and the modules in it that a language server knows
 * one by one. Call it while the folder exists.
 */
export async function modulesIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const endings = ['py', 'pyi', ...layeredEndings()];
  const pattern = new vscode.RelativePattern(folder, `**/*.{${endings.join(',')}}`);
  return [folder, ...(await vscode.workspace.findFiles(pattern, null, mostModules))];
}
