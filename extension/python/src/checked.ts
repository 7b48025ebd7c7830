import * as vscode from 'vscode';
import type { LanguageClient, PublishDiagnosticsParams } from 'vscode-languageclient/node';

/** Which version of each document the server has told the diagnostics of, which VS Code itself does not say. */
export class CheckedVersions implements vscode.Disposable {
  readonly #versions = new Map<string, number>();
  readonly #told = new vscode.EventEmitter<void>();
  /** Publications, one after another. */
  #turn: Promise<void> = Promise.resolve();

  /** Takes publishing over from the client, whose own way leaves the version out. */
  follow(client: LanguageClient): void {
    this.#versions.clear();
    client.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.#turn = this.#turn.then(() => this.#publish(client, params)).catch(() => undefined);
    });
  }

  /** Resolves when the diagnostics in VS Code are of the document's version now, or of a later one. */
  until({ uri, version }: vscode.TextDocument): Promise<void> {
    const key = uri.toString();
    const isTold = () => (this.#versions.get(key) ?? -1) >= version;
    if (isTold()) return Promise.resolve();
    return new Promise((resolve) => {
      const listening = this.#told.event(() => {
        if (!isTold()) return;
        listening.dispose();
        resolve();
      });
    });
  }

  /** A document that is opened anew counts from 1 again. */
  forget({ uri }: vscode.TextDocument): void {
    this.#versions.delete(uri.toString());
  }

  dispose(): void {
    this.#told.dispose();
  }

  async #publish(client: LanguageClient, params: PublishDiagnosticsParams): Promise<void> {
    const uri = client.protocol2CodeConverter.asUri(params.uri);
    client.diagnostics?.set(uri, await client.protocol2CodeConverter.asDiagnostics(params.diagnostics));
    if (params.version === undefined) return;
    this.#versions.set(uri.toString(), params.version);
    this.#told.fire();
  }
}
