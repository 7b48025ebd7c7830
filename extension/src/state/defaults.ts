import * as vscode from 'vscode';
import { toolError } from '../../../bridge/protocol/index.ts';

/** VS Code's text of its defaults, as shown by its commands for default settings and keybindings. */
export async function defaultsText(name: 'defaultSettings.jsonc' | 'keybindings.json'): Promise<string> {
  const uri = vscode.Uri.from({ scheme: 'vscode', authority: 'defaultsettings', path: `/${name}` });
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch (cause) {
    throw toolError('not-supported', `this VS Code does not give ${uri.toString()}`, { cause });
  }
}
