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

  resolveCustomEditor({ uri }: vscode.CustomDocument, { webview, onDidDispose }: vscode.WebviewPanel): void {
    const script = vscode.Uri.joinPath(this.#extension, 'page.js');
    webview.options = { enableScripts: true, localResourceRoots: [this.#extension] };
    const show = async () => webview.postMessage(await readShownProfile(uri));
    const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), baseName(uri));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern, true, false, true);
    // The page asks once it listens; earlier messages would be lost.
    const owned = [webview.onDidReceiveMessage(show), watcher.onDidChange(show), watcher];
    onDidDispose(() => owned.forEach((one) => void one.dispose()));
    webview.html = renderProfilePage(webview, script);
  }
}

/** In a glob pattern, brackets and the like would have a meaning. */
function baseName({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replaceAll(/[[\]{}*?]/g, '?');
}

/** The page around the script. Only that script runs, and nothing is fetched. */
function renderProfilePage(webview: vscode.Webview, script: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Flame Graph</title>
<style nonce="${nonce}">${pageStyle}</style>
</head>
<body>
<header>
  <div role="tablist">
    <button role="tab" id="flame-tab" aria-controls="flame">Flame Graph</button>
    <button role="tab" id="functions-tab" aria-controls="functions">Functions</button>
  </div>
  <input type="search" id="search" placeholder="Search name or file" aria-label="Search name or file">
  <button id="reset">Reset Zoom</button>
  <strong id="file"></strong><span id="total"></span>
  <span id="found" role="status"></span>
</header>
<main>
  <div id="flame" role="tabpanel" aria-label="Flame graph"></div>
  <div id="functions" role="tabpanel" aria-label="Functions"></div>
</main>
<footer id="detail" role="status"></footer>
<script nonce="${nonce}" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>`;
}

const pageStyle = `
html, body { height: 100%; margin: 0; padding: 0; overflow: hidden; }
body { display: flex; flex-direction: column; font: 13px var(--vscode-font-family); color: var(--vscode-foreground); }
header { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; padding: 6px 10px;
  border-bottom: 1px solid var(--vscode-panel-border, #8884); }
button, input { font: inherit; color: inherit; border: 1px solid var(--vscode-input-border, #8886); border-radius: 3px;
  background: var(--vscode-input-background); padding: 3px 8px; }
button { cursor: pointer; }
button[aria-selected=true] { background: var(--vscode-button-background); color: var(--vscode-button-foreground); }
input { width: 220px; }
:focus-visible { outline: 2px solid var(--vscode-focusBorder); outline-offset: -1px; }
main { flex: 1; min-height: 0; position: relative; }
main > div { position: absolute; inset: 0; overflow: auto; }
main > div[hidden] { display: none; }
#flame { overflow-x: hidden; }
.bars { position: relative; }
.bar { position: absolute; height: 19px; box-sizing: border-box; padding: 0 3px; overflow: hidden; white-space: nowrap;
  text-align: left; text-overflow: ellipsis; font: 12px/18px var(--vscode-editor-font-family, monospace); color: #1c1c1c;
  border: 0; border-right: 1px solid var(--vscode-editor-background); border-radius: 0; cursor: pointer; }
.bar.thin { padding: 0; border: 0; }
.bar.caller { opacity: 0.55; }
.bar.found { background: #b95cf4 !important; color: #fff; }
.bar:hover { filter: brightness(1.12); }
table { border-collapse: collapse; width: 100%; }
th { position: sticky; top: 0; background: var(--vscode-editor-background); text-align: left; padding: 0; }
th button { border: 0; background: none; font-weight: 600; width: 100%; text-align: inherit; }
td { padding: 2px 8px; border-bottom: 1px solid var(--vscode-panel-border, #8882); white-space: nowrap;
  font-family: var(--vscode-editor-font-family, monospace); }
td.number, th.number { text-align: right; }
footer { padding: 4px 10px; min-height: 18px; border-top: 1px solid var(--vscode-panel-border, #8884);
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.problem { padding: 20px; }
`;
