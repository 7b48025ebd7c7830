import * as vscode from 'vscode';
import { escaped } from './page.ts';

/** The script of VS Code's own Mermaid extension that draws in Markdown previews. */
const script = 'index.js';

/** The folder of that script; undefined if this VS Code does not have it. */
export function diagramScripts(): vscode.Uri | undefined {
  const mermaid = vscode.extensions.getExtension('vscode.mermaid-markdown-features');
  return mermaid && vscode.Uri.joinPath(mermaid.extensionUri, 'markdown-preview-out');
}

/** The window event of a diagram's page after the diagram was drawn, or could not be drawn. */
export const diagramDrawn = 'pwp-diagram';

/** Options of VS Code's script: always the light theme, since the page is white, and no buttons over the diagram. */
const diagramOptions = {
  lightModeTheme: 'default',
  darkModeTheme: 'default',
  showControls: 'never',
  resizable: false,
};

/**
 * A page that shows a Mermaid diagram. VS Code's script for Markdown previews draws it: the script looks for `.mermaid`,
 * and for its options in `#markdown-mermaid`, and rejects if a diagram can't be drawn. Its folder is that of
 * `diagramScripts`.
 */
export function diagramPage(source: string): string {
  const options = escaped(JSON.stringify(diagramOptions)).replaceAll('"', '&quot;');
  return `<!doctype html><html><head><title>Diagram</title><style>
body { margin: 16px; font: 13px sans-serif } .mermaid { white-space: pre-wrap }
</style></head><body>
<span id="markdown-mermaid" data-config="${options}"></span><div class="mermaid">${escaped(source)}</div>
<script>{
const diagram = document.querySelector('.mermaid');
const drawn = () => dispatchEvent(new Event('${diagramDrawn}'));
new MutationObserver((changes, observer) => {
  if (!diagram.querySelector('svg')) return;
  observer.disconnect();
  drawn();
}).observe(diagram, { childList: true, subtree: true });
addEventListener('unhandledrejection', drawn);
addEventListener('error', drawn, true);
}</script><script type="module" src="${script}"></script></body></html>`;
}
