import * as vscode from 'vscode';

/** Resolves when everything that the window has done so far is known here: it reports in order, before it answers. */
export async function awaitWindow(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'pwp.current', true);
}
