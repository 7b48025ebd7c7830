import * as vscode from 'vscode';

/** Scripts, their project files, and folders, whose names seldom contain a dot. */
const concerns = /(?:\.(?:[cm]?[jt]sx?|json)|\/[^./]+)$/;

let changed = false;

/** After a change on disk, TypeScript's server reads its projects again before the next question. */
export function notifyTypeScript({ path }: vscode.Uri): void {
  changed ||= concerns.test(path);
}

/** Makes TypeScript's server read its projects again if a tool has changed something on disk since. */
export async function readProjectsAgain(): Promise<void> {
  if (!changed) return;
  changed = false;
  // It answers in order, so there is nothing to wait for.
  await vscode.commands.executeCommand('typescript.reloadProjects');
}
