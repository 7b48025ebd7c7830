import * as vscode from 'vscode';
import { notifyPython, type DiskChange } from './python.ts';
import { notifyTypeScript } from './typescript.ts';

/**
 * Lets language servers know what a tool has done on disk, so that what they are asked next they answer with it: VS
 * Code's own watcher tells them a moment later.
 */
export async function notifyServers(uri: vscode.Uri, change: DiskChange): Promise<void> {
  notifyTypeScript(uri);
  await notifyPython(uri, change);
}

/** Beyond these, what is in a folder is left to VS Code's watcher. */
const mostModules = 2000;

/**
 * What has to be told of when a folder goes or comes: itself, and the modules in it that a language server knows one by
 * one. To be asked while it is there.
 */
export async function modulesIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  const pattern = new vscode.RelativePattern(folder, '**/*.{py,pyi}');
  return [folder, ...(await vscode.workspace.findFiles(pattern, null, mostModules))];
}
