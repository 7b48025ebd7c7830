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
    webview.html = renderCanvasPage(webview, vscode.Uri.joinPath(this.#extension, 'page.js'));
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
 * The page around the script. Only that script runs, and nothing is fetched. The page accepts no input until it shows the
 * file: anything drawn before that would be lost.
 */
function renderCanvasPage(webview: vscode.Webview, script: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  // Labels are laid out by style attributes.
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Canvas</title>
<style>${pageStyle}</style>
</head>
<body inert aria-busy="true">
<header role="toolbar" aria-label="Canvas">
  <button id="connect" aria-pressed="false">Connect</button>
  <button id="rename">Rename</button>
  <button id="delete">Delete</button>
  <button id="zoom-out" aria-label="Zoom out">−</button>
  <button id="zoom-in" aria-label="Zoom in">+</button>
  <span id="status" role="status"></span>
</header>
<nav id="palette" role="toolbar" aria-label="Shapes"></nav>
<main id="graph" tabindex="0" role="application" aria-label="Diagram"></main>
<script nonce="${nonce}" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>`;
}

const pageStyle = `
html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; }
body { display: grid; grid-template: 36px 1fr / 132px 1fr; font: 13px var(--vscode-font-family);
  color: var(--vscode-foreground); }
header { grid-column: 1 / 3; display: flex; gap: 6px; align-items: center; padding: 0 8px;
  border-bottom: 1px solid var(--vscode-panel-border, #8884); }
button { font: inherit; color: inherit; border: 1px solid var(--vscode-input-border, #8886); border-radius: 3px;
  background: var(--vscode-input-background); padding: 3px 8px; cursor: pointer; }
button[aria-pressed=true] { background: var(--vscode-button-background); color: var(--vscode-button-foreground); }
button:hover { border-color: var(--vscode-focusBorder); }
#status { margin-left: 8px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
nav { display: flex; flex-direction: column; gap: 4px; padding: 6px; overflow: auto;
  border-right: 1px solid var(--vscode-panel-border, #8884); }
nav button { display: flex; gap: 8px; align-items: center; text-align: left; min-height: 40px; }
nav svg { width: 34px; height: 26px; flex: none; fill: #fff; stroke: #222; stroke-width: 1.5; }
#graph { position: relative; overflow: auto; background: #fff; color: #000; outline: none; }
#graph:focus-visible { box-shadow: inset 0 0 0 1px var(--vscode-focusBorder); }
div.mxRubberband { position: absolute; overflow: hidden; border: 1px solid #07f; background: #07f; opacity: 0.2; }
.mxCellEditor { position: absolute; display: inline-block; overflow: visible; min-width: 8px; word-wrap: normal;
  border: 0; padding: 0; margin: 0; resize: none; outline: 2px solid #07f; background: #fff; color: #000; }
`;
