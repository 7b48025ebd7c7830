import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** A tool's change of a file or a folder. */
export type DiskChange = 'created' | 'changed' | 'deleted';

/** The API of the extension that serves Python in a sandbox: `PythonApi` there. */
interface PythonExtensionApi {
  /** Resolves when the language server answers, or if the settings turn it off. Never rejects. */
  ready(): Promise<void>;
  /** Absolute path of the interpreter of a workspace folder. */
  interpreter(folder: vscode.WorkspaceFolder | undefined): string;
  /** Requests the diagnostics of the current text from the language server; undefined if no server runs. */
  diagnose(document: vscode.TextDocument): Promise<readonly vscode.Diagnostic[] | undefined>;
  /** Notifies the language server at once of a change of a file; the watcher's notification comes later. */
  hear(uri: vscode.Uri, change: DiskChange): Promise<void>;
  /** The edits that move a top-level symbol to another module. Rejects with the reason if it can't be moved. */
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

/** Undefined in a VS Code without it, or if it is disabled in favour of another one. */
export async function activatePython(): Promise<PythonExtensionApi | undefined> {
  const found = vscode.extensions.getExtension<PythonExtensionApi | undefined>(pythonExtension);
  return found?.activate();
}

/** Notifies the extension that serves Python, if it is active, of a change of a file. */
export async function notifyPython(uri: vscode.Uri, change: DiskChange): Promise<void> {
  const found = vscode.extensions.getExtension<PythonExtensionApi | undefined>(pythonExtension);
  if (found?.isActive && /\.pyi?$/.test(uri.path)) await found.exports?.hear(uri, change);
}

/** Whether the settings turn on a language server for Python. */
export function isPythonServed(): boolean {
  const wanted = vscode.workspace.getConfiguration('python').get<string>('languageServer');
  return vscode.extensions.getExtension(pythonExtension) !== undefined && wanted !== 'None';
}

/**
 * The Python that runs the code of a workspace folder: the one chosen in the IDE or its settings, else the workspace's
 * own environment, if any.
 */
export async function findInterpreter(folder: string): Promise<string> {
  const served = await activatePython();
  if (served) return served.interpreter(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)));
  const own = ['.venv', 'venv'].map((name) => join(folder, name, 'bin/python'));
  return own.find((path) => existsSync(path)) ?? 'python3';
}
