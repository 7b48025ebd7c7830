import * as vscode from 'vscode';

/** More files than anyone has open; the oldest is forgotten first. */
const most = 10_000;

/**
 * Remembers of which documents diagnostics were told after their text had last changed. VS Code's API does not say which
 * version of a text diagnostics are about: this is the nearest. Make it when the window starts.
 */
export class ReportedProblems implements vscode.Disposable {
  readonly #reported = new Set<string>();
  readonly #listeners = [
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) this.#remember(uri.toString());
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.#reported.delete(document.uri.toString());
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#reported.delete(uri.toString())),
  ];

  /** Diagnostics of this document, or that it has none, were told since its text changed, or since it was opened. */
  about(uri: vscode.Uri): boolean {
    return this.#reported.has(uri.toString());
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#reported.clear();
  }

  #remember(uri: string): void {
    this.#reported.add(uri);
    const [oldest] = this.#reported;
    if (this.#reported.size > most && oldest !== undefined) this.#reported.delete(oldest);
  }
}
