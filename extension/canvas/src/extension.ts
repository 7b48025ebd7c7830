import * as vscode from 'vscode';
import { Canvas } from './editor.ts';

/** Loaded by VS Code with the first diagram that is opened. */
export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  subscriptions.push(
    vscode.window.registerCustomEditorProvider('pwp.canvas', new Canvas(extensionUri), {
      // Else the selection and unfinished typing would be lost with every change of tabs.
      webviewOptions: { retainContextWhenHidden: true },
    }),
  );
}
