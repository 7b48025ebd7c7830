const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('flamegraph.runProfiler', () =>
      vscode.window.showInformationMessage('Flamegraph: this is a stand-in; it profiles nothing.'),
    ),
  );
};
