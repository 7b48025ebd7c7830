const { existsSync } = require('node:fs');
const { basename } = require('node:path');
const vscode = require('vscode');

exports.activate = (context) => {
  const status = vscode.window.createStatusBarItem('background.images', vscode.StatusBarAlignment.Right);
  status.name = 'Background';
  let decoration;
  const show = () => {
    decoration?.dispose();
    const { images, opacity } = readConfiguration();
    status.text = `$(file-media) ${images.length === 1 ? basename(images[0].path) : `${images.length} images`}`;
    status.tooltip = images.map(describe).join('\n') || 'Background (stand-in): no images';
    status.show();
    const [first] = images.filter((image) => image.scheme !== 'file' || existsSync(image.fsPath));
    decoration = first && vscode.window.createTextEditorDecorationType(behind(first, opacity));
    for (const editor of vscode.window.visibleTextEditors) decorate(editor, decoration);
  };
  context.subscriptions.push(
    status,
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('background')) show();
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of editors) decorate(editor, decoration);
    }),
    { dispose: () => decoration?.dispose() },
  );
  show();
};

function readConfiguration() {
  const background = vscode.workspace.getConfiguration('background');
  const sections = [background.get('editor'), background.get('fullscreen')];
  const lists = sections.map((section) => (Array.isArray(section?.images) ? section.images : []));
  const named = background.get('enabled') === false ? [] : lists.flat();
  const opacity = sections.map((section) => section?.opacity).find((each) => typeof each === 'number');
  return { images: named.filter((each) => typeof each === 'string').map(uriOf), opacity: opacity ?? 0.2 };
}

function uriOf(text) {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) ? vscode.Uri.parse(text) : vscode.Uri.file(text);
}

function describe(image) {
  if (image.scheme !== 'file') return image.toString();
  return existsSync(image.fsPath) ? image.fsPath : `${image.fsPath} (not found)`;
}

/** An extension may style text alone: the picture is put before the first line, out of the text's way. */
function behind(image, opacity) {
  return {
    before: {
      contentIconPath: image,
      textDecoration: `none; position: absolute; top: 0; left: 0; opacity: ${opacity}; pointer-events: none; z-index: -1`,
    },
  };
}

function decorate(editor, decoration) {
  if (decoration) editor.setDecorations(decoration, [new vscode.Range(0, 0, 0, 0)]);
}
