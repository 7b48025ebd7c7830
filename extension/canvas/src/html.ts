import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';

/**
 * The page around the script. Only that script runs, and nothing is fetched. The page accepts no input until it shows the
 * file: anything drawn before that would be lost.
 */
export function html(webview: vscode.Webview, script: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  // Labels are laid out by style attributes.
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Canvas</title>
<style>${style}</style>
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

const style = `
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
