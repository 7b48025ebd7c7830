import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** What a tool did to a file or a folder. */
export type DiskChange = 'created' | 'changed' | 'deleted';

/** What the extension that serves Python in a sandbox lets others call: `PythonApi` there. */
export interface Python {
  /** Resolves when the language server answers, or when the settings want none. Never rejects. */
  ready(): Promise<void>;
  /** Absolute path of the interpreter of a workspace folder. */
  interpreter(folder: vscode.WorkspaceFolder | undefined): string;
  /** Asks the language server for the diagnostics of a text as it is now; undefined if there is none to ask. */
  diagnose(document: vscode.TextDocument): Promise<readonly vscode.Diagnostic[] | undefined>;
  /** Notifies the language server at once of a change of a file; the watcher's notification comes later. */
  hear(uri: vscode.Uri, change: DiskChange): Promise<void>;
  /** The edits that move a symbol of the top level to another module. Rejects with the reason if there is none. */
  moveEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    target: string,
    signal: AbortSignal,
  ): Promise<{
    readonly name: string;
    readonly files: readonly (readonly [vscode.Uri, readonly vscode.TextEdit[]])[];
  }>;
}

export const pythonExtension = 'pwp.python';

/** Undefined in a VS Code without it, and if it is disabled in favour of another one. */
export async function python(): Promise<Python | undefined> {
  const found = vscode.extensions.getExtension<Python | undefined>(pythonExtension);
  return found?.activate();
}

/** Notifies the extension that serves Python, if it is active, of a change of a file. */
export async function notifyPython(uri: vscode.Uri, change: DiskChange): Promise<void> {
  const found = vscode.extensions.getExtension<Python | undefined>(pythonExtension);
  if (found?.isActive && /\.pyi?$/.test(uri.path)) await found.exports?.hear(uri, change);
}

/** Whether the settings want a language server for Python. */
export function isPythonServed(): boolean {
  const wanted = vscode.workspace.getConfiguration('python').get<string>('languageServer');
  return vscode.extensions.getExtension(pythonExtension) !== undefined && wanted !== 'None';
}

/**
 * The Python that runs the code of a workspace folder: what is chosen in the IDE or its settings, else the workspace's
 * own environment where it has one.
 */
export async function interpreterOf(folder: string): Promise<string> {
  const served = await python();
  if (served) return served.interpreter(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)));
  const own = ['.venv', 'venv'].map((name) => join(folder, name, 'bin/python'));
  return own.find((path) => existsSync(path)) ?? 'python3';
}
