import * as vscode from 'vscode';
import { html } from './html.ts';
import { shownOf } from './shown.ts';

export const viewType = 'pwp.flameGraph';

/** Read-only editors of profiles; a changed file is shown again. */
export class FlameGraphs implements vscode.CustomReadonlyEditorProvider {
  readonly #extension: vscode.Uri;

  constructor(extension: vscode.Uri) {
    this.#extension = extension;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  resolveCustomEditor({ uri }: vscode.CustomDocument, { webview, onDidDispose }: vscode.WebviewPanel): void {
    const script = vscode.Uri.joinPath(this.#extension, 'page.js');
    webview.options = { enableScripts: true, localResourceRoots: [this.#extension] };
    const show = async () => webview.postMessage(await shownOf(uri));
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), baseName(uri));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, true, false, true);
    // The page asks once it listens; earlier messages would be lost.
    const owned = [webview.onDidReceiveMessage(show), watcher.onDidChange(show), watcher];
    onDidDispose(() => owned.forEach((one) => void one.dispose()));
    webview.html = html(webview, script);
  }
}

/** In a glob pattern, brackets and the like would have a meaning. */
function baseName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replaceAll(/[[\]{}*?]/g, '?');
}
