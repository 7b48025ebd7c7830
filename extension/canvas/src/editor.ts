import * as vscode from 'vscode';
import type { DocumentCommand, FromPage, ShowText } from '../page/index.ts';
import { html } from './html.ts';

/** The document is a text document of VS Code, which handles undo, dirty state, saving and hot exit. */
export class Canvas implements vscode.CustomTextEditorProvider {
  readonly #extension: vscode.Uri;

  constructor(extension: vscode.Uri) {
    this.#extension = extension;
  }

  resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [this.#extension] };
    const link = new Link(document, webview);
    const owned = [
      webview.onDidReceiveMessage((message: FromPage) => link.receive(message)),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document) link.changed();
      }),
    ];
    panel.onDidDispose(() => owned.forEach((one) => void one.dispose()));
    webview.html = html(webview, vscode.Uri.joinPath(this.#extension, 'page.js'));
  }
}

/** Keeps a document and a page in sync. */
class Link {
  readonly #document: vscode.TextDocument;
  readonly #webview: vscode.Webview;
  /** The text that the page shows. */
  #shown = '';
  /** Edits one after another: each replaces the whole text. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(document: vscode.TextDocument, webview: vscode.Webview) {
    this.#document = document;
    this.#webview = webview;
  }

  receive(message: FromPage): void {
    if (message.kind === 'ready') {
      this.#show();
      return;
    }
    if (message.kind === 'edit') this.#shown = message.text;
    const act = () => (message.kind === 'edit' ? this.#write(message.text) : this.#run(message.command));
    // A failure is shown, and later work continues.
    this.#writing = this.#writing.then(act).catch(() => this.#show());
  }

  /** The text has changed: by the page itself, by undo, or by anyone else. */
  changed(): void {
    if (this.#document.getText() !== this.#shown) this.#show();
  }

  #show(): void {
    this.#shown = this.#document.getText();
    void this.#webview.postMessage({ kind: 'show', text: this.#shown } satisfies ShowText);
  }

  async #run(command: DocumentCommand): Promise<void> {
    if (command === 'save') await this.#document.save();
    else await vscode.commands.executeCommand(command);
  }

  async #write(text: string): Promise<void> {
    // A later edit includes this one.
    if (text !== this.#shown || text === this.#document.getText()) return;
    const edit = new vscode.WorkspaceEdit();
    const end = this.#document.lineAt(this.#document.lineCount - 1).range.end;
    edit.replace(this.#document.uri, new vscode.Range(new vscode.Position(0, 0), end), text);
    const taken = await vscode.workspace.applyEdit(edit);
    // Else the page would show an edit that the document lacks, and lose it silently later.
    if (!taken) this.#show();
  }
}
