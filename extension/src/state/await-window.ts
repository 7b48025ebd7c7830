import * as vscode from 'vscode';

/** Resolves when all is known here that the window has done so far: it reports in order, and answers a command after that. */
export async function awaitWindow(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'pwp.current', true);
}
