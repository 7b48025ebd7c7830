import * as vscode from 'vscode';
import { escaped } from './page.ts';

/** Of VS Code's own extension for Mermaid: the script that draws in Markdown previews. */
const script = 'index.js';

/** Where that script is; undefined if this VS Code has none. */
export function diagramScripts(): vscode.Uri | undefined {
  const mermaid = vscode.extensions.getExtension('vscode.mermaid-markdown-features');
  return mermaid && vscode.Uri.joinPath(mermaid.extensionUri, 'markdown-preview-out');
}

/** The event of the window of a diagram's page that says that it is drawn, or can't be. */
export const diagramDrawn = 'pwp-diagram';

/** How VS Code's script draws: as on paper, whatever the theme, for the page is white; without buttons over it. */
const diagramOptions = {
  lightModeTheme: 'default',
  darkModeTheme: 'default',
  showControls: 'never',
  resizable: false,
};

/**
 * A page that shows a Mermaid diagram. What draws it is the script that VS Code has for Markdown previews, which looks for
 * `.mermaid` and for its options in `#markdown-mermaid`, and rejects where a diagram can't be drawn.
 * Its folder is that of `diagramScripts`.
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
