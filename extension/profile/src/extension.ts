import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { readShownProfile } from './read-profile.ts';

/** Loaded by VS Code with the first profile that is opened. */
export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  subscriptions.push(
    vscode.window.registerCustomEditorProvider(flameGraphViewType, new FlameGraphEditor(extensionUri), {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: false },
    }),
    vscode.commands.registerCommand('pwp.openFlameGraph', async (given?: vscode.Uri) => {
      const uri = given ?? vscode.window.activeTextEditor?.document.uri;
      if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, flameGraphViewType);
      else await vscode.window.showInformationMessage('Open a profile first, or choose one in the explorer.');
    }),
  );
}

const flameGraphViewType = 'pwp.flameGraph';

/** Read-only editors of profiles; a changed file is shown again. */
class FlameGraphEditor implements vscode.CustomReadonlyEditorProvider {
  readonly #extension: vscode.Uri;

  constructor(extension: vscode.Uri) {
    this.#extension = extension;
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  async resolveCustomEditor(
    { uri }: vscode.CustomDocument,
    { webview, onDidDispose }: vscode.WebviewPanel,
  ): Promise<void> {
    webview.options = { enableScripts: true, localResourceRoots: [this.#extension] };
    const show = async () => webview.postMessage(await readShownProfile(uri));
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), baseName(uri));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, true, false, true);
    // The page asks once it listens; earlier messages would be lost.
    const owned = [webview.onDidReceiveMessage(show), watcher.onDidChange(show), watcher];
    onDidDispose(() => owned.forEach((one) => void one.dispose()));
    webview.html = await renderProfilePage(webview, this.#extension);
  }
}

/** In a glob pattern, brackets and the like would have a meaning. */
function baseName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replaceAll(/[[\]{}*?]/g, '?');
}

/** The page around the script. Only that script runs, and nothing is fetched but what is beside it. */
async function renderProfilePage(webview: vscode.Webview, folder: vscode.Uri): Promise<string> {
  const page = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, 'page.html'));
  return new TextDecoder()
    .decode(page)
    .replaceAll('{{nonce}}', randomBytes(16).toString('base64'))
    .replaceAll('{{source}}', webview.cspSource)
    .replaceAll('{{folder}}', webview.asWebviewUri(folder).toString());
}
