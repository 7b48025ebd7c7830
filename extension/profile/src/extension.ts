import * as vscode from 'vscode';
import { FlameGraphs, viewType } from './editor.ts';

/** Loaded by VS Code with the first profile that is opened. */
export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  subscriptions.push(
    vscode.window.registerCustomEditorProvider(viewType, new FlameGraphs(extensionUri), {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: false },
    }),
    vscode.commands.registerCommand('pwp.openFlameGraph', async (given?: vscode.Uri) => {
      const uri = given ?? vscode.window.activeTextEditor?.document.uri;
      if (uri) await vscode.commands.executeCommand('vscode.openWith', uri, viewType);
      else await vscode.window.showInformationMessage('Open a profile first, or choose one in the explorer.');
    }),
  );
}
