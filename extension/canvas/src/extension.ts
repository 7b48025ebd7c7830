import * as vscode from 'vscode';
import { Canvas } from './editor.ts';

/** Loaded by VS Code with the first diagram that is opened. */
export function activate({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  subscriptions.push(
    vscode.window.registerCustomEditorProvider('pwp.canvas', new Canvas(extensionUri), {
      // What is selected and being typed would be lost with every change of tabs.
      webviewOptions: { retainContextWhenHidden: true },
    }),
  );
}
