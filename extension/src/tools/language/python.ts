import * as vscode from 'vscode';

/** What the extension that serves Python in a sandbox lets others call: `PythonApi` there. */
export interface Python {
  /** Resolves when the language server answers, or when the settings want none. Never rejects. */
  ready(): Promise<void>;
  /** Absolute path of the interpreter of a workspace folder. */
  interpreter(folder: vscode.WorkspaceFolder | undefined): string;
  /** Resolves when the document's diagnostics are about its text as it is now; never, where nothing tells of them. */
  checked(document: vscode.TextDocument): Promise<void>;
  /** The edits that move a symbol of the top level to another module. Rejects with the reason where there is none. */
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

/** Undefined in a VS Code without it, and where it stands aside for another one. */
export async function python(): Promise<Python | undefined> {
  const found = vscode.extensions.getExtension<Python | undefined>(pythonExtension);
  return found?.activate();
}

/** Whether the settings want a language server for Python. */
export function isPythonServed(): boolean {
  const wanted = vscode.workspace.getConfiguration('python').get<string>('languageServer');
  return vscode.extensions.getExtension(pythonExtension) !== undefined && wanted !== 'None';
}
