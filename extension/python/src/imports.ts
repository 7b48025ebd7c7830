import * as vscode from 'vscode';
import type { LanguageServer } from './server.ts';

/** Offers pyright's sorting of imports, which is only a command, as a code action of VS Code. */
export class ImportActions implements vscode.CodeActionProvider {
  static readonly kind = vscode.CodeActionKind.SourceOrganizeImports;

  provideCodeActions(document: vscode.TextDocument): vscode.CodeAction[] {
    const action = new vscode.CodeAction('Organize Imports', ImportActions.kind);
    action.command = {
      command: 'pwp.python.organizeImports',
      title: action.title,
      arguments: [document.uri],
    };
    return [action];
  }
}

export async function organizeImports(server: LanguageServer, given?: vscode.Uri): Promise<void> {
  const uri = given ?? vscode.window.activeTextEditor?.document.uri;
  if (uri) await server.edit(await vscode.workspace.openTextDocument(uri), 'pyright.organizeimports');
}
