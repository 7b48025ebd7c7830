const { spawn } = require('node:child_process');
const vscode = require('vscode');

const black = '/usr/bin/black';

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.languages.registerDocumentFormattingEditProvider('python', { provideDocumentFormattingEdits }),
  );
};

async function provideDocumentFormattingEdits(document, _options, token) {
  const text = document.getText();
  const formatted = await format(text, token);
  if (formatted === text) return [];
  const all = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  return [vscode.TextEdit.replace(all, formatted)];
}

/** Rejects with Black's own words, e.g. where a document is no Python. */
function format(text, token) {
  return new Promise((resolve, reject) => {
    const child = spawn(black, ['--quiet', '-']);
    token.onCancellationRequested(() => child.kill());
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (part) => (output += part));
    child.stderr.setEncoding('utf8').on('data', (part) => (errors += part));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(errors || `black ended with ${code}`)),
    );
    child.stdin.on('error', () => undefined).end(text);
  });
}
