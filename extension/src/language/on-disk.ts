import * as vscode from 'vscode';
import { layeredEndings, notifyLayered } from './layered.ts';
import { notifyPython, type DiskChange } from './python.ts';
import { notifyTypeScript } from './typescript.ts';

/**
 * Notifies language servers of a tool's change on disk, so that their next answer takes it into account: VS Code's own
 * watcher notifies them a moment later.
 */
export async function notifyServers(uri: vscode.Uri, change: DiskChange): Promise<void> {
  notifyTypeScript(uri);
  await Promise.all([notifyPython(uri, change), notifyLayered(uri, change)]);
}

/** Maximum number of files of a folder; the rest is left to VS Code's watcher. */
const mostModules = 2000;

/**
 * The changes to report when a folder is added or removed: itself, and the modules in it, which language servers track
 * one by one. Call it while the folder exists.
 */
export async function modulesIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const endings = ['py', 'pyi', ...layeredEndings()];
  const pattern = new vscode.RelativePattern(folder, `**/*.{${endings.join(',')}}`);
  return [folder, ...(await vscode.workspace.findFiles(pattern, null, mostModules))];
}
