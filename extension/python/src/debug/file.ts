import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { Interpreters } from '../interpreter/index.ts';
import { currentFile } from './configuration.ts';

/** Runs the active file, or the given one, in a terminal. */
export async function runFile(interpreters: Interpreters, given?: vscode.Uri): Promise<void> {
  const uri = await savedFile(given);
  if (!uri) return;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const { path } = interpreters.of(folder);
  const inItsFolder = vscode.workspace
    .getConfiguration('python', uri)
    .get('terminal.executeInFileDir', false);
  const wanted = inItsFolder ? dirname(uri.fsPath) : folder?.uri.fsPath;
  const name = inItsFolder ? `Python: ${wanted}` : 'Python';
  const open = vscode.window.terminals.find((one) => one.name === name && one.exitStatus === undefined);
  const terminal =
    open ?? vscode.window.createTerminal({ name, ...(wanted !== undefined && { cwd: wanted }) });
  terminal.show(true);
  terminal.sendText(`${quoted(path)} ${quoted(uri.fsPath)}`);
}

export async function debugFile(given?: vscode.Uri): Promise<void> {
  const uri = await savedFile(given);
  if (!uri) return;
  const configuration = { ...currentFile, program: uri.fsPath };
  await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), configuration);
}

async function savedFile(given: vscode.Uri | undefined): Promise<vscode.Uri | undefined> {
  const shown = vscode.window.activeTextEditor?.document;
  const document = given ? await vscode.workspace.openTextDocument(given) : shown;
  if (!document || document.languageId !== 'python') {
    void vscode.window.showErrorMessage('Open a Python file to run it.');
    return undefined;
  }
  return !document.isDirty || (await document.save()) ? document.uri : undefined;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
