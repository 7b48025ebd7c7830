import * as vscode from 'vscode';
import type { Watches } from '../state/index.ts';

/** Facts about the window that tools need and that VS Code only reports when the extension starts. */
export interface WindowFacts {
  /** The folder of the user's profile: keybindings.json is in it. */
  readonly profile: vscode.Uri;
  readonly reportedProblems: ReportedProblems;
  readonly watches: Watches;
}

/** More files than anyone has open; the oldest are forgotten first. */
const maxReported = 10_000;

/**
 * Remembers for which documents diagnostics were reported after their last change. VS Code's API does not report which
 * version of a text diagnostics are about: this is the closest approximation. Create it when the window starts.
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

  /**
   * Whether this document's diagnostics, possibly none, were reported since its text changed, or since it was opened.
   */
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
    if (this.#reported.size > maxReported && oldest !== undefined) this.#reported.delete(oldest);
  }
}
