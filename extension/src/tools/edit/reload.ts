import * as vscode from 'vscode';
import { raceSignal } from '../../../../bridge/lib/index.ts';

/** Waits until VS Code has read a document's file again. */
export async function untilText(
  document: vscode.TextDocument,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  if (document.getText() === text) return;
  let listening: vscode.Disposable | undefined;
  const same = new Promise<void>((resolve) => {
    listening = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.getText() === text) resolve();
    });
  });
  try {
    await raceSignal(same, signal);
  } finally {
    listening?.dispose();
  }
}
