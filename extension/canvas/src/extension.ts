import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { DocumentCommand, FromPage, ShowText } from '../page/index.ts';

/** Loaded by VS Code with the first diagram that is opened. */
export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  subscriptions.push(
    vscode.window.registerCustomEditorProvider('pwp.canvas', new CanvasEditor(extensionUri), {
      // Else the selection and unfinished typing would be lost with every change of tabs.
      webviewOptions: { retainContextWhenHidden: true },
    }),
  );
}

/** The document is a text document of VS Code, which handles undo, dirty state, saving and hot exit. */
class CanvasEditor implements vscode.CustomTextEditorProvider {
  readonly #extension: vscode.Uri;

  constructor(extension: vscode.Uri) {
    this.#extension = extension;
  }

  async resolveCustomTextEditor(document: vscode.TextDocument, panel: vscode.WebviewPanel): Promise<void> {
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
    webview.html = await renderCanvasPage(webview, this.#extension);
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

/**
 * The page around the script. Only that script runs, and nothing is fetched but what is beside it. The page accepts no
 * input until it shows the file: anything drawn before that would be lost.
 */
async function renderCanvasPage(webview: vscode.Webview, folder: vscode.Uri): Promise<string> {
  const page = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'page.html'));
  return new TextDecoder()
    .decode(page)
    .replaceAll('{{nonce}}', randomBytes(16).toString('base64'))
    .replaceAll('{{source}}', webview.cspSource)
    .replaceAll('{{folder}}', webview.asWebviewUri(folder).toString());
}
