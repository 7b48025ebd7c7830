import * as vscode from 'vscode';

const scheme = 'pwp';

/** Texts that commands show: read-only documents, renewed each time. */
export class Documents implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  // Last, since VS Code subscribes to the provider when it is registered.
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  /** @param name with an ending that shows the language, e.g. `IDE State.json` */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${name}` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.#texts.get(path) ?? '';
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }
}
